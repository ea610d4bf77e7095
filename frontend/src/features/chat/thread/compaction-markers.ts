/** Positions of compaction markers in the thread: runs by time, and the border before the live messages. */

import type { Compaction } from "@/api/compactions";
import type { MessageAt } from "./use-messages";

/** More runs than these in one position, after an import for example, are grouped. */
const MAX_SEPARATE = 2;

export type Marker =
  | { kind: "run"; run: Compaction; isLast: boolean }
  | { kind: "series"; runs: readonly Compaction[]; run: Compaction; isLast: boolean }
  | { kind: "border"; through: number; version: number; run: Compaction | null };

/** The coverage of the active summary; a fork has a summary without runs. */
export interface Coverage {
  version: number;
  covers_through: number | null;
}

export interface CompactionMarkers {
  /** The run that an undo would revert. */
  last: Compaction | null;
  border: Extract<Marker, { kind: "border" }> | null;
  runs: readonly Compaction[];
}

/** `runs` are newest first. */
export function compactionMarkers(
  runs: readonly Compaction[],
  count: number,
  summary?: Coverage,
): CompactionMarkers {
  const done = runs.filter((run) => run.state === "succeeded");
  const last = done[0] ?? null;
  const { version, through } = summary === undefined ? coverageOfRuns(done) : coverageOf(summary);
  const isInside = version > 0 && through >= 0 && through < count - 1;
  return { last, border: isInside ? { kind: "border", through, version, run: last } : null, runs: done };
}

function coverageOf({ version, covers_through: through }: Coverage) {
  return { version, through: through ?? -1 };
}

/** The fallback until the summary is loaded. */
function coverageOfRuns(done: readonly Compaction[]) {
  const through = Math.max(-1, ...done.map((run) => run.compacted_through ?? -1));
  return { version: done[0]?.version ?? 0, through };
}

/**
 * The markers below the message at `index`. A run is placed below the message that was the newest when it finished, so
 * a page that is not loaded has no runs.
 */
export function markersBelow(
  index: number,
  count: number,
  messageAt: MessageAt,
  markers: CompactionMarkers,
): Marker[] {
  const runs = runsBelow(index, count, messageAt, markers.runs);
  const run = runs.at(-1);
  if (run === undefined) return markers.border?.through === index ? [markers.border] : [];
  if (runs.length > MAX_SEPARATE) return [{ kind: "series", runs, run, isLast: run === markers.last }];
  return runs.map((one) => ({ kind: "run", run: one, isLast: one === markers.last }));
}

function runsBelow(index: number, count: number, messageAt: MessageAt, runs: readonly Compaction[]) {
  const from = messageAt(index)?.created_at;
  const next = messageAt(index + 1)?.created_at;
  if (from === undefined || (next === undefined && index < count - 1)) return [];
  return runs.filter(({ finished_at: at }) => at !== null && isAtRow(at, from, index, next)).toReversed();
}

/** Runs that finished before the first message are placed below it. */
function isAtRow(at: string, from: string, index: number, next: string | undefined): boolean {
  const time = Date.parse(at);
  return (index === 0 || time >= Date.parse(from)) && (next === undefined || time < Date.parse(next));
}
