/** The parts of a pack for the bar, in the order in which the model reads them. */

import type { CompactionPlan } from "@/api/compactions";
import { type Context, layerOf, type PackMetadata } from "@/api/context";
import type { BarPart, Layer } from "@/components/ui/context-bar";

const HISTORY = "L6_message_history";

export function partsOf({ tokens, budget }: Pick<PackMetadata, "tokens" | "budget">): BarPart[] {
  return [
    { layer: "system", tokens: tokens.system },
    { layer: "user", tokens: tokens.identity + tokens.user_memory + tokens.preferences },
    { layer: "pins", tokens: tokens.pinned_memory },
    { layer: "topics", tokens: tokens.topics },
    { layer: "entities", tokens: tokens.entities },
    { layer: "summary", tokens: tokens.rolling_summary },
    { layer: "earlier", tokens: tokens.earlier },
    { layer: "recent", tokens: tokens.recent_messages },
    { layer: "retrieved", tokens: tokens.just_in_time },
    { layer: "current", tokens: tokens.current_message },
    { layer: "free", tokens: Math.max(0, budget - tokens.total) },
  ];
}

const BEFORE_LIVE: readonly Layer[] = ["system", "user", "pins", "topics", "entities", "summary"];

/** The position in the bar for a number of live tokens. */
export function livePosition(parts: readonly BarPart[], live: number): number {
  return live + parts.reduce((sum, part) => sum + (BEFORE_LIVE.includes(part.layer) ? part.tokens : 0), 0);
}

type PlanTokens = Pick<
  CompactionPlan,
  "live_tokens_before" | "live_tokens_after" | "summary_tokens_before" | "summary_tokens_after"
>;

/**
 * Estimate the pack after a compaction, which shrinks the history and grows the summary. The remaining live messages
 * are then sent verbatim, in the space that all live messages use now.
 */
export function partsAfter(pack: Pick<Context, "metadata" | "layers">, plan: PlanTokens): BarPart[] {
  const compactedTokens = plan.live_tokens_before - plan.live_tokens_after;
  const summaryGrowth = plan.summary_tokens_after - plan.summary_tokens_before;
  const { tokens, budget, live_tokens: live } = pack.metadata;
  if (compactedTokens === 0) return partsOf(pack.metadata);
  const historyTokens = tokens.earlier + tokens.recent_messages;
  const toPackTokens = (stored: number) =>
    Math.round(stored * (historyTokens / (layerOf(pack, HISTORY)?.used || historyTokens)));
  const recent = Math.max(
    0,
    Math.min(historyTokens, toPackTokens(live - compactedTokens) - tokens.current_message),
  );
  const summary = tokens.rolling_summary + toPackTokens(summaryGrowth);
  const total = tokens.total - historyTokens + recent + summary - tokens.rolling_summary;
  const after = { rolling_summary: summary, earlier: 0, recent_messages: recent, total };
  return partsOf({ tokens: { ...tokens, ...after }, budget });
}

/** The sum of all parts except the free space. */
export function usedOf(parts: readonly BarPart[]): number {
  return parts.reduce((sum, { layer, tokens }) => sum + (layer === "free" ? 0 : tokens), 0);
}
