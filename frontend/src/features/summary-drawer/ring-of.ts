/** What the ring draws of a conversation's health. */

import type { RingArc } from "@/components/ring";
import type { View } from "@/events/reducer";

export function ringOf(view: View | null): { arcs: RingArc[]; tick: number | null } {
  if (view === null) return { arcs: [], tick: null };
  const { health, compaction } = view.state;
  if (compaction?.state === "running" || compaction?.state === "queued")
    return { arcs: [{ share: (view.stage?.progress ?? 0) / 100, layer: "progress" }], tick: null };
  const amount = (name: string) => health.numbers[name]?.value ?? 0;
  const limit = amount("limit_tokens") || 1;
  const fixed = Math.max(0, amount("used_tokens") - amount("live_tokens"));
  const arcs: RingArc[] = [
    { share: fixed / limit, layer: "summary" },
    { share: amount("live_tokens") / limit, layer: "recent" },
  ];
  return { arcs, tick: (fixed + amount("threshold_tokens")) / limit };
}
