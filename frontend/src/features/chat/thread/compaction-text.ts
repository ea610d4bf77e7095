/** Descriptions of compaction runs. */

import type { Compaction } from "@/api/compactions";
import { texts } from "@/texts";

const { chat } = texts;

export interface CompactionText {
  title: string;
  detail: string;
  numbers: string;
}

export function runText(run: Compaction): CompactionText {
  return textOf(run, run, run.compacted_count);
}

/** Describe consecutive runs, oldest first, as one. */
export function seriesText(runs: readonly Compaction[]): CompactionText {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return { title: "", detail: "", numbers: "" };
  return textOf(
    first,
    last,
    runs.reduce((sum, run) => sum + run.compacted_count, 0),
  );
}

function textOf(first: Compaction, last: Compaction, count: number): CompactionText {
  const [from, through] = [first.compacted_from, last.compacted_through];
  const [before, after] = [first.tokens_before, last.tokens_after];
  return {
    title: count > 0 && from !== null && through !== null ? chat.compacted(from, through) : chat.reread,
    detail: last.version === null ? "" : chat.into(last.version),
    numbers: before === null || after === null ? "" : chat.beforeAfter(before, after),
  };
}
