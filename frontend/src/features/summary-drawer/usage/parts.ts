/** The parts of a pack for the bar, in the order in which a model reads them. */

import type { CompactionPlan } from "@/api/compactions";
import { type Context, layerOf, type PackMetadata } from "@/api/context";
import type { BarPart, Layer } from "@/components/ui/context-bar";

const HISTORY = "L6_message_history";

export function partsOf({ tokens, budget }: Pick<PackMetadata, "tokens" | "budget">): BarPart[] {
  return [
    { layer: "system", tokens: tokens.system },
    { layer: "user", tokens: tokens.user_memory },
    { layer: "pins", tokens: tokens.pinned_memory },
    { layer: "summary", tokens: tokens.rolling_summary },
    { layer: "earlier", tokens: tokens.earlier },
    { layer: "recent", tokens: tokens.recent_messages },
    { layer: "retrieved", tokens: tokens.just_in_time },
    { layer: "current", tokens: tokens.current_message },
    { layer: "free", tokens: Math.max(0, budget - tokens.total) },
  ];
}

const BEFORE_LIVE: readonly Layer[] = ["system", "user", "pins", "summary"];

/** Where the bar is when so many tokens are live. */
export function placeOfLive(parts: readonly BarPart[], live: number): number {
  return live + parts.reduce((sum, part) => sum + (BEFORE_LIVE.includes(part.layer) ? part.tokens : 0), 0);
}

type Planned = Pick<
  CompactionPlan,
  "live_tokens_before" | "live_tokens_after" | "summary_tokens_before" | "summary_tokens_after"
>;

/**
 * The same pack after a fold, in stored tokens, which makes the summary grow. What is still live then stands in its own
 * words, in the room that all live messages have now.
 */
export function partsAfter(pack: Pick<Context, "metadata" | "layers">, plan: Planned): BarPart[] {
  const folds = plan.live_tokens_before - plan.live_tokens_after;
  const grows = plan.summary_tokens_after - plan.summary_tokens_before;
  const { tokens, budget, live_tokens: live } = pack.metadata;
  if (folds === 0) return partsOf(pack.metadata);
  const room = tokens.earlier + tokens.recent_messages;
  const counted = (stored: number) => Math.round(stored * (room / (layerOf(pack, HISTORY)?.used || room)));
  const recent = Math.max(0, Math.min(room, counted(live - folds) - tokens.current_message));
  const summary = tokens.rolling_summary + counted(grows);
  const total = tokens.total - room + recent + summary - tokens.rolling_summary;
  const after = { rolling_summary: summary, earlier: 0, recent_messages: recent, total };
  return partsOf({ tokens: { ...tokens, ...after }, budget });
}

/** All that is used of them. */
export function usedOf(parts: readonly BarPart[]): number {
  return parts.reduce((sum, { layer, tokens }) => sum + (layer === "free" ? 0 : tokens), 0);
}
