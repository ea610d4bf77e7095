/** The active compaction as the socket reported it last: the source for the drawer, the pill and its ring. */

import type { Stage, View } from "@/events/reducer";

type Run = NonNullable<View["state"]["compaction"]>;

/** `null` unless a compaction is queued or running. */
export function activeRun(view: View | null): Run | null {
  const run = view?.state.compaction ?? null;
  return run !== null && (run.state === "queued" || run.state === "running") ? run : null;
}

export function stageOf(view: View | null, runId: string | null): Stage | null {
  return view?.stage != null && view.stage.runId === runId ? view.stage : null;
}

/** In percent; a queued run has made none. */
export function progressOf(view: View | null): number {
  const run = activeRun(view);
  return stageOf(view, run?.run_id ?? null)?.progress ?? 0;
}
