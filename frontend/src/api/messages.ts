/** Messages by their index: a conversation has them without gaps, so any page of it can be fetched at once. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type Message = Schemas["Message"];

export const PAGE = 50;

/** The messages from `PAGE * page` on. */
export function messagesQuery(id: string, page: number) {
  return queryOptions({
    queryKey: keys.page(id, page),
    queryFn: async ({ signal }) => {
      const query = { from_index: page * PAGE, limit: PAGE };
      const got = await taken(
        api.GET("/api/conversations/{conversation_id}/messages", {
          params: { ...path(id).params, query },
          signal,
        }),
      );
      return got.data;
    },
  });
}
