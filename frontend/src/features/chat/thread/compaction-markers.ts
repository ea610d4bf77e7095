/** Where compactions stand in the thread: after which message each run came, and where live messages begin. */

import type { Compaction } from "@/api/compactions";
import type { MessageAt } from "./use-messages";

/** More than these in one place, as after an import, are told as one. */
const MOST_APART = 2;

export type Marker =
  | { kind: "run"; run: Compaction; isLast: boolean }
  | { kind: "series"; runs: readonly Compaction[]; run: Compaction; isLast: boolean }
  | { kind: "border"; through: number; version: number; run: Compaction | null };

/** What the summary in use tells of; a fork has one without any run. */
export interface Coverage {
  version: number;
  covers_through: number | null;
}

export interface Places {
  /** The run that an undo would take back. */
  last: Compaction | null;
  border: Extract<Marker, { kind: "border" }> | null;
  runs: readonly Compaction[];
}

/** `runs` come newest first. */
export function placesOf(runs: readonly Compaction[], count: number, summary?: Coverage): Places {
  const done = runs.filter((run) => run.state === "succeeded");
  const last = done[0] ?? null;
  const { version, through } = summary === undefined ? coveredBy(done) : coverageOf(summary);
  const isInside = version > 0 && through >= 0 && through < count - 1;
  return { last, border: isInside ? { kind: "border", through, version, run: last } : null, runs: done };
}

function coverageOf({ version, covers_through: through }: Coverage) {
  return { version, through: through ?? -1 };
}

/** As long as the summary is not here the runs tell. */
function coveredBy(done: readonly Compaction[]) {
  const through = Math.max(-1, ...done.map((run) => run.compacted_through ?? -1));
  return { version: done[0]?.version ?? 0, through };
}

/**
 * What stands below the message at `index`. A run stands below the message that was the newest when it ended, so a page
 * that is not loaded yet holds no runs.
 */
export function markersBelow(index: number, count: number, messageAt: MessageAt, places: Places): Marker[] {
  const runs = runsBelow(index, count, messageAt, places.runs);
  const run = runs.at(-1);
  if (run === undefined) return places.border?.through === index ? [places.border] : [];
  if (runs.length > MOST_APART) return [{ kind: "series", runs, run, isLast: run === places.last }];
  return runs.map((one) => ({ kind: "run", run: one, isLast: one === places.last }));
}

function runsBelow(index: number, count: number, messageAt: MessageAt, runs: readonly Compaction[]) {
  const from = messageAt(index)?.created_at;
  const next = messageAt(index + 1)?.created_at;
  if (from === undefined || (next === undefined && index < count - 1)) return [];
  return runs.filter(({ finished_at: at }) => at !== null && isBetween(at, from, index, next)).toReversed();
}

/** What ended before the first message stands below it. */
function isBetween(at: string, from: string, index: number, next: string | undefined): boolean {
  const moment = Date.parse(at);
  return (index === 0 || moment >= Date.parse(from)) && (next === undefined || moment < Date.parse(next));
}
