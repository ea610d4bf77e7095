/** Find: memories and messages by what they say. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "./client";
import { keys } from "./keys";

export type Hit = Schemas["Hit"];
export type Found = Schemas["SearchResult"];
export type Corpus = "memories" | "messages" | "all";

/** What is looked for, and where; empty words filter nothing. */
export interface FindWish {
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

/** Every search counts as a use of what it found: it is asked once, and never again by itself. */
export function findQuery(wish: FindWish) {
  return queryOptions({
    queryKey: keys.find(wish),
    // Of the two answers that there are, the one of this mode comes.
    queryFn: ({ signal }) =>
      taken(api.GET("/api/search", { params: { query: asked(wish) }, signal })) as Promise<Found>,
    enabled: wish.q !== "",
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}

/** Both days count. */
function asked({ q, corpus, category, trust, since, until, tags, uri, top_k }: FindWish) {
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
