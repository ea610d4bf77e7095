/** Compare two versions of a summary line by line. */

import type { RemovedLine, RollingSummary, SummaryField } from "@/api/summary";
import { type DrawerLine, FIELDS, linesOf, plainText } from "../summary/lines";

export interface Change {
  field: SummaryField;
  kind: "added" | "removed" | "changed";
  before: DrawerLine | null;
  after: DrawerLine | null;
}

export interface Changes {
  changes: Change[];
  unchanged: number;
}

/** From this share of common words, two lines count as one that was rewritten. */
const MIN_SIMILARITY = 0.4;

export function changesBetween(before: RollingSummary, after: RollingSummary): Changes {
  const byField = FIELDS.map((field) => changesOf(field, linesOf(before, field), linesOf(after, field)));
  return {
    changes: byField.flatMap(({ changes }) => changes),
    unchanged: byField.reduce((sum, { unchanged }) => sum + unchanged, 0),
  };
}

function changesOf(field: SummaryField, before: DrawerLine[], after: DrawerLine[]): Changes {
  const beforeTexts = new Set(before.map(plainText));
  const afterTexts = new Set(after.map(plainText));
  const removed = before.filter((line) => !afterTexts.has(plainText(line)));
  const added = after.filter((line) => !beforeTexts.has(plainText(line)));
  const changes: Change[] = added.map((line) => {
    const old = mostSimilar(line, removed);
    if (old === null) return { field, kind: "added", before: null, after: line };
    removed.splice(removed.indexOf(old), 1);
    return { field, kind: "changed", before: old, after: line };
  });
  for (const line of removed) changes.push({ field, kind: "removed", before: line, after: null });
  return {
    changes,
    unchanged: before.length - before.filter((line) => !afterTexts.has(plainText(line))).length,
  };
}

/** Find the reason of a removal; definitions are matched by term, other fields by text. */
export function removalOf(line: DrawerLine | null, removed: readonly RemovedLine[]): RemovedLine | undefined {
  if (line === null) return undefined;
  const key = line.field === "definitions" ? line.term : line.text;
  return removed.find((one) => one.field === line.field && one.key === key);
}

function mostSimilar(line: DrawerLine, candidates: readonly DrawerLine[]): DrawerLine | null {
  const scored = candidates.map((other) => ({ other, score: similarity(line, other) }));
  const best = scored.toSorted((one, another) => another.score - one.score)[0];
  return best !== undefined && best.score >= MIN_SIMILARITY ? best.other : null;
}

function similarity(one: DrawerLine, other: DrawerLine): number {
  if (one.field === "definitions" && one.term === other.term) return 1;
  const words = wordsOf(one);
  const others = wordsOf(other);
  const common = [...words].filter((word) => others.has(word)).length;
  return common / Math.max(1, words.size, others.size);
}

function wordsOf(line: DrawerLine): Set<string> {
  return new Set(
    plainText(line)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );
}
