/** Semantic search in memories and messages. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { keys } from "./keys";

export type Hit = Schemas["Hit"];
export type SearchResult = Schemas["SearchResult"];
export type TreeHit = Schemas["TreeHit"];
export type TreeSearchResult = Schemas["TreeSearchResult"];
export type Corpus = "memories" | "messages" | "all";
/** `find` compares the query as a whole; `search` reads its intent and looks around in the tree. */
export type SearchMode = "find" | "search";

/** Query and filters; empty strings do not filter. */
export interface FindParams {
  q: string;
  mode: SearchMode;
  corpus: Corpus;
  category: Schemas["MemoryCategoryEnum"] | "";
  trust: Schemas["TrustEnum"] | "";
  since: string;
  until: string;
  tags: string;
  uri: string;
  top_k: number;
}

export function findQuery(params: FindParams) {
  return searchQuery<SearchResult>({ ...params, mode: "find" });
}

export function treeSearchQuery(params: FindParams) {
  return searchQuery<TreeSearchResult>({ ...params, mode: "search" });
}

/**
 * Every search counts as a use of its results, so it runs once and is never refetched automatically. The type of its
 * result depends on the mode.
 */
function searchQuery<Result>(params: FindParams) {
  return queryOptions({
    queryKey: keys.find(params),
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/search", { params: { query: queryOf(params) }, signal })) as Promise<Result>,
    enabled: params.q !== "",
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}

/** Both days are inclusive. */
function queryOf({ q, mode, corpus, category, trust, since, until, tags, uri, top_k }: FindParams) {
  return {
    explain: true,
    ...{ q, mode, corpus, top_k },
    ...(category && { category }),
    ...(trust && { trust }),
    ...(since && { since: `${since}T00:00:00Z` }),
    ...(until && { until: `${until}T23:59:59Z` }),
    ...(tags && { tags }),
    ...(uri && { uri }),
  };
}
