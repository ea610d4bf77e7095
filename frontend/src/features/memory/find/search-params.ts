/** What is looked for, as the page's address has it: so that it can be kept, and sent to others. */

import type { Corpus, FindWish } from "@/api/find";

export const FIRST_RESULTS = 10;
export const MOST_RESULTS = 50;
const CORPORA: readonly Corpus[] = ["all", "memories", "messages"];
const FILTERS = ["category", "trust", "since", "until", "tags", "uri"] as const;

export type Filters = Pick<FindWish, (typeof FILTERS)[number]>;

export const NO_FILTERS: Filters = { category: "", trust: "", since: "", until: "", tags: "", uri: "" };

export function wishOf(part: Partial<FindWish>): FindWish {
  return { q: "", corpus: "all", ...NO_FILTERS, top_k: FIRST_RESULTS, ...part };
}

export function wishIn(search: URLSearchParams): FindWish {
  const corpus = CORPORA.find((one) => one === search.get("corpus")) ?? "all";
  const filters = Object.fromEntries(FILTERS.map((name) => [name, search.get(name) ?? ""])) as Filters;
  const top = Number(search.get("top_k"));
  const top_k = Number.isInteger(top) && top > 0 ? Math.min(top, MOST_RESULTS) : FIRST_RESULTS;
  return wishOf({ q: search.get("q") ?? "", corpus, ...filters, top_k });
}

/** For the page's address: nothing that goes without saying. */
export function searchOf({ corpus, top_k, ...wish }: FindWish): Partial<FindWish> {
  return {
    ...wish,
    ...(corpus !== "all" && { corpus }),
    ...(top_k !== FIRST_RESULTS && { top_k }),
  };
}

export function filtersOn(wish: Filters): number {
  return FILTERS.filter((name) => wish[name] !== "").length;
}
