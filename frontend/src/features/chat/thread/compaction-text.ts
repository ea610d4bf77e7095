/** Compactions in words. */

import type { Compaction } from "@/api/compactions";
import { texts } from "@/texts";

const { chat } = texts;

export interface Told {
  title: string;
  detail: string;
  numbers: string;
}

export function told(run: Compaction): Told {
  return words(run, run, run.compacted_count);
}

/** Runs that followed each other, the oldest first, as if they were one. */
export function toldTogether(runs: readonly Compaction[]): Told {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return { title: "", detail: "", numbers: "" };
  return words(
    first,
    last,
    runs.reduce((sum, run) => sum + run.compacted_count, 0),
  );
}

function words(first: Compaction, last: Compaction, many: number): Told {
  const [from, through] = [first.compacted_from, last.compacted_through];
  const [before, after] = [first.tokens_before, last.tokens_after];
  const range = many > 0 && from !== null && through !== null ? chat.range(from, through) : "";
  const version = last.version === null ? "" : chat.into(last.version);
  return {
    title: many > 0 ? chat.compacted(many) : chat.reread,
    detail: `${range} ${version}`.trim(),
    numbers: before === null || after === null ? "" : chat.beforeAfter(before, after),
  };
}
