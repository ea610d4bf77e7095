/** The segments of the health ring. */

import type { RingArc } from "@/components/ui/progress-ring";
import type { View } from "@/events/reducer";
import { activeRun, progressOf } from "./run-progress";

/** The tick is shown only with automatic compaction. */
export function ringSegments(
  view: View | null,
  isAutoCompacting: boolean,
): { arcs: RingArc[]; tick: number | null } {
  if (view === null) return { arcs: [], tick: null };
  const { health, summary } = view.state;
  if (activeRun(view) !== null)
    return { arcs: [{ share: progressOf(view) / 100, layer: "progress" }], tick: null };
  const amount = (name: string) => health.numbers[name]?.value ?? 0;
  const limit = amount("limit_tokens") || 1;
  const beforeLive = Math.max(0, amount("used_tokens") - amount("live_tokens"));
  const arcs: RingArc[] = [
    { share: Math.max(0, beforeLive - summary.tokens) / limit, layer: "fixed" },
    { share: summary.tokens / limit, layer: "summary" },
    { share: amount("live_tokens") / limit, layer: "recent" },
  ];
  const tick = isAutoCompacting ? (beforeLive + amount("threshold_tokens")) / limit : null;
  return { arcs: arcs.filter(({ share }) => share > 0), tick };
}
