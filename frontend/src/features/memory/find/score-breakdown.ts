/** Break a score down into its parts, for a bar and a table. */

import type { Hit, TreeHit, TreeSearchResult } from "@/api/find";
import { memory } from "@/texts/memory";
import { memorySearch } from "@/texts/memory-search";

const words = memory.find;

interface Part {
  name: string;
  /** What it contributes. */
  value: number;
  shown: string;
}

interface Total {
  name: string;
  shown: string;
  hint?: string;
}

export interface ScoreBreakdown {
  /** The segments of the bar, as many as a legend has names. */
  segments: readonly number[];
  parts: readonly Part[];
  /** Below the parts; the last one is the score. */
  totals: readonly Total[];
  /** The score, if it has a fixed scale. */
  score?: string;
}

/** The names of the segments. */
export const FIND_LEGEND: readonly string[] = [
  words.shares.similarity,
  words.shares.lexical,
  words.shares.rest,
];
export const TREE_LEGEND: readonly string[] = memorySearch.shares;

/** In `find`: a sum of weighted features, multiplied by the memory's current relevance. */
export function breakdownOf({ parts, relevance, score }: Hit): ScoreBreakdown {
  const { similarity = 0, lexical = 0, ...rest } = parts ?? {};
  const segments = [similarity, lexical, sum(Object.values(rest))];
  return {
    segments: segments.map((value) => value * relevance),
    parts: Object.entries(parts ?? {}).map(([name, value]) => ({
      name: words.partNames[name] ?? name,
      value,
      shown: value.toFixed(3),
    })),
    totals: [
      { name: words.sum, shown: sum(segments).toFixed(3) },
      { name: words.relevance, shown: `× ${relevance.toFixed(3)}` },
      { name: words.score, shown: score.toFixed(3), hint: words.scoreIs },
    ],
  };
}

const TREE_PARTS = ["similarity", "relevance", "parent_score"] as const;

/** In `search`: a weighted sum of similarity, relevance and company. */
export function treeBreakdownOf(
  { tree_score, score }: TreeHit,
  weights: TreeSearchResult["weights"],
): ScoreBreakdown {
  const parts = TREE_PARTS.map((part) => ({
    name: memorySearch.parts[part],
    value: weights[part] * tree_score[part],
    shown: memorySearch.product(weights[part].toFixed(1), tree_score[part].toFixed(3)),
  }));
  return {
    segments: parts.map(({ value }) => value),
    parts,
    totals: [{ name: words.score, shown: score.toFixed(3), hint: memorySearch.scoreIs }],
    score: score.toFixed(2),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
