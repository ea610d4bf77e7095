/** Conversations by their titles, messages by their words. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "./client";
import { keys } from "./keys";

export type Found = Schemas["Found"];
export type FoundMessage = Schemas["FoundMessage"];

export const SHORTEST_QUERY = 2;
export const LONGEST_QUERY = 200;

const LIMIT = 12;

export function searchQuery(text: string) {
  return queryOptions({
    queryKey: keys.search(text),
    queryFn: ({ signal }) =>
      taken(api.GET("/api/search", { params: { query: { q: text, limit: LIMIT } }, signal })),
    enabled: Array.from(text).length >= SHORTEST_QUERY,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
