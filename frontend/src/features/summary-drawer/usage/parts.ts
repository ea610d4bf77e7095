/** The parts of a pack for the bar, in the order in which a model reads them. */

import type { PackMetadata } from "@/api/context";
import type { BarPart, Layer } from "@/components/context-bar";

export function partsOf({ tokens, budget }: Pick<PackMetadata, "tokens" | "budget">): BarPart[] {
  return [
    { layer: "system", tokens: tokens.system },
    { layer: "user", tokens: tokens.user_memory },
    { layer: "pins", tokens: tokens.pinned_memory },
    { layer: "summary", tokens: tokens.rolling_summary },
    { layer: "recent", tokens: tokens.recent_messages },
    { layer: "current", tokens: tokens.current_message },
    { layer: "free", tokens: Math.max(0, budget - tokens.total) },
  ];
}

const BEFORE_RECENT: readonly Layer[] = ["system", "user", "pins", "summary"];

/** Where the bar is when so many tokens are live. */
export function placeOfLive(parts: readonly BarPart[], live: number): number {
  return live + parts.reduce((sum, part) => sum + (BEFORE_RECENT.includes(part.layer) ? part.tokens : 0), 0);
}

/** The same pack after a fold: what is recent shrinks, the summary grows. */
export function partsAfter(
  parts: readonly BarPart[],
  { folds, grows }: { folds: number; grows: number },
): BarPart[] {
  const change: Partial<Record<Layer, number>> = { summary: grows, recent: -folds, free: folds - grows };
  return parts.map(({ layer, tokens }) => ({ layer, tokens: Math.max(0, tokens + (change[layer] ?? 0)) }));
}
