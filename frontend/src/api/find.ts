/** Semantic search in memories and messages. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { keys } from "./keys";

export type Hit = Schemas["Hit"];
export type SearchResult = Schemas["SearchResult"];
export type Corpus = "memories" | "messages" | "all";

/** Query and filters; empty strings do not filter. */
export interface FindParams {
  q: string;
  corpus: Corpus;
  category: Schemas["MemoryCategoryEnum"] | "";
  trust: Schemas["TrustEnum"] | "";
  since: string;
  until: string;
  tags: string;
  uri: string;
  top_k: number;
}

/** Every search counts as a use of its results, so it runs once and is never refetched automatically. */
export function findQuery(params: FindParams) {
  return queryOptions({
    queryKey: keys.find(params),
    // The response type depends on `mode`; this is the one for `find`.
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/search", { params: { query: queryOf(params) }, signal })) as Promise<SearchResult>,
    enabled: params.q !== "",
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}

/** Both days are inclusive. */
function queryOf({ q, corpus, category, trust, since, until, tags, uri, top_k }: FindParams) {
  return {
    mode: "find" as const,
    explain: true,
    ...{ q, corpus, top_k },
    ...(category && { category }),
    ...(trust && { trust }),
    ...(since && { since: `${since}T00:00:00Z` }),
    ...(until && { until: `${until}T23:59:59Z` }),
    ...(tags && { tags }),
    ...(uri && { uri }),
  };
}
