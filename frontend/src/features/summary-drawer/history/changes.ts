/** What became of a summary from one version to another, line by line. */

import type { Gone, RollingSummary, SummaryField } from "@/api/summary";
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

/** From this share of common words on, two lines are one that was rewritten. */
const ALIKE = 0.4;

export function changesBetween(before: RollingSummary, after: RollingSummary): Changes {
  const found = FIELDS.map((field) => changesOf(field, linesOf(before, field), linesOf(after, field)));
  return {
    changes: found.flatMap(({ changes }) => changes),
    unchanged: found.reduce((sum, { unchanged }) => sum + unchanged, 0),
  };
}

function changesOf(field: SummaryField, before: DrawerLine[], after: DrawerLine[]): Changes {
  const still = new Set(before.map(plainText));
  const now = new Set(after.map(plainText));
  const gone = before.filter((line) => !now.has(plainText(line)));
  const come = after.filter((line) => !still.has(plainText(line)));
  const changes: Change[] = come.map((line) => {
    const old = mostAlike(line, gone);
    if (old === null) return { field, kind: "added", before: null, after: line };
    gone.splice(gone.indexOf(old), 1);
    return { field, kind: "changed", before: old, after: line };
  });
  for (const line of gone) changes.push({ field, kind: "removed", before: line, after: null });
  return { changes, unchanged: before.length - before.filter((line) => !now.has(plainText(line))).length };
}

/** Why a line left; a field's lines are told apart by the term or the text. */
export function goneOf(line: DrawerLine | null, gone: readonly Gone[]): Gone | undefined {
  if (line === null) return undefined;
  const key = line.field === "definitions" ? line.term : line.text;
  return gone.find((one) => one.field === line.field && one.key === key);
}

function mostAlike(line: DrawerLine, candidates: readonly DrawerLine[]): DrawerLine | null {
  const scored = candidates.map((other) => ({ other, score: likeness(line, other) }));
  const best = scored.toSorted((one, another) => another.score - one.score)[0];
  return best !== undefined && best.score >= ALIKE ? best.other : null;
}

function likeness(one: DrawerLine, other: DrawerLine): number {
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
