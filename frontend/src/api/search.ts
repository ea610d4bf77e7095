/** Text search for the palette: chats, messages, memories, pins and summaries. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { keys } from "./keys";

export type TextSearchResult = Schemas["SearchResults"];
export type MessageMatch = Schemas["MessageHit"];
export type Snippet = Schemas["Snippet"];

const MIN_QUERY_LENGTH = 2;
export const MAX_QUERY_LENGTH = 200;

const LIMIT = 5;

export function isSearchable(text: string): boolean {
  return Array.from(text).length >= MIN_QUERY_LENGTH;
}

/** Results of the previous text stay until new ones arrive; a text that is too short has no results. */
export function searchQuery(text: string) {
  return queryOptions({
    queryKey: keys.search(text),
    // The response type depends on `mode`; this is the one for the default, a literal text search.
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/search", { params: { query: { q: text, limit: LIMIT } }, signal }),
      ) as Promise<TextSearchResult>,
    enabled: isSearchable(text),
    ...(isSearchable(text) ? { placeholderData: keepPreviousData } : {}),
    retry: false,
  });
}
