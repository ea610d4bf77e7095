/** Conversations by their titles, messages by their words. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "./client";
import { keys } from "./keys";

export type Found = Schemas["Found"];
export type FoundMessage = Schemas["FoundMessage"];

const SHORTEST_QUERY = 2;
export const LONGEST_QUERY = 200;

const LIMIT = 12;

export function isSearched(text: string): boolean {
  return Array.from(text).length >= SHORTEST_QUERY;
}

/** While it is written on, what was found before stays; of a text that is not searched nothing does. */
export function searchQuery(text: string) {
  return queryOptions({
    queryKey: keys.search(text),
    // Without a mode, the words are looked for as they stand: of the two answers that there are, this one comes.
    queryFn: ({ signal }) =>
      taken(
        api.GET("/api/search", { params: { query: { q: text, limit: LIMIT } }, signal }),
      ) as Promise<Found>,
    enabled: isSearched(text),
    ...(isSearched(text) ? { placeholderData: keepPreviousData } : {}),
    retry: false,
  });
}
