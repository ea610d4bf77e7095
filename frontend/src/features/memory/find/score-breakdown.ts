/** Break a score down: a sum of weighted features, multiplied by the memory's current relevance. */

import type { Hit } from "@/api/find";

/** The segments of the score bar. */
export type Share = "similarity" | "lexical" | "rest";

export const SHARES: readonly Share[] = ["similarity", "lexical", "rest"];

type Parts = NonNullable<Hit["parts"]>;

export function partsOf({ parts }: Hit): [keyof Parts, number][] {
  return parts === null ? [] : (Object.entries(parts) as [keyof Parts, number][]);
}

export function sumOf(hit: Hit): number {
  return partsOf(hit).reduce((sum, [, value]) => sum + value, 0);
}

/** The contribution of each segment to the score. */
export function sharesOf(hit: Hit): Record<Share, number> {
  const shares = { similarity: 0, lexical: 0, rest: 0 };
  for (const [name, value] of partsOf(hit)) {
    shares[name === "similarity" || name === "lexical" ? name : "rest"] += value * hit.relevance;
  }
  return shares;
}
