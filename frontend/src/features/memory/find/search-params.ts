/** Search parameters in the URL, so that searches can be bookmarked and shared. */

import type { Corpus, FindParams, SearchMode } from "@/api/find";

export const FIRST_RESULTS = 10;
export const MAX_RESULTS = 50;
const CORPORA: readonly Corpus[] = ["all", "memories", "messages"];
export const MODES: readonly SearchMode[] = ["find", "search"];
const FILTERS = ["category", "trust", "since", "until", "tags", "uri"] as const;

export type Filters = Pick<FindParams, (typeof FILTERS)[number]>;

export const NO_FILTERS: Filters = { category: "", trust: "", since: "", until: "", tags: "", uri: "" };

export function withDefaults(part: Partial<FindParams>): FindParams {
  return { q: "", mode: "find", corpus: "all", ...NO_FILTERS, top_k: FIRST_RESULTS, ...part };
}

export function parseSearch(search: URLSearchParams): FindParams {
  const mode = MODES.find((one) => one === search.get("mode")) ?? "find";
  const corpus = CORPORA.find((one) => one === search.get("corpus")) ?? "all";
  const filters = Object.fromEntries(FILTERS.map((name) => [name, search.get(name) ?? ""])) as Filters;
  const top = Number(search.get("top_k"));
  const top_k = Number.isInteger(top) && top > 0 ? Math.min(top, MAX_RESULTS) : FIRST_RESULTS;
  return withDefaults({ q: search.get("q") ?? "", mode, corpus, ...filters, top_k });
}

/** Parameters for the URL, without default values. */
export function withoutDefaults({ mode, corpus, top_k, ...filters }: FindParams): Partial<FindParams> {
  return {
    ...filters,
    ...(mode !== "find" && { mode }),
    ...(corpus !== "all" && { corpus }),
    ...(top_k !== FIRST_RESULTS && { top_k }),
  };
}

export function countFilters(filters: Filters): number {
  return FILTERS.filter((name) => filters[name] !== "").length;
}
