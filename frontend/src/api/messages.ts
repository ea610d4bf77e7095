/** Messages by index: indexes have no gaps, so any page can be fetched directly. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type Message = Schemas["Message"];

export const PAGE_SIZE = 50;

/** The messages from index `PAGE_SIZE * page` on. */
export function messagesQuery(id: string, page: number) {
  return queryOptions({
    queryKey: keys.page(id, page),
    queryFn: async ({ signal }) => {
      const query = { from_index: page * PAGE_SIZE, limit: PAGE_SIZE };
      const response = await unwrap(
        api.GET("/api/conversations/{conversation_id}/messages", {
          params: { ...path(id).params, query },
          signal,
        }),
      );
      return response.data;
    },
  });
}

/** Delete permanently: the message's place remains. */
export function useDeleteMessage(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (message_id: string) => {
      const params = { path: { ...path(id).params.path, message_id } };
      return unwrap(api.DELETE("/api/conversations/{conversation_id}/messages/{message_id}", { params }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.conversation(id) }),
  });
}
