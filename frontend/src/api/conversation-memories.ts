/** The memories found in a conversation's messages, by page of messages, and their undo. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";
import { PAGE_SIZE } from "./messages";

export type ExtractedMemory = Schemas["ExtractedMemory"];

const MOST = 200;

/** The memories of the messages from index `PAGE_SIZE * page` on, and perhaps of later ones. */
export function extractedMemoriesQuery(id: string, page: number) {
  return queryOptions({
    queryKey: [...keys.memories(id), page],
    queryFn: async ({ signal }) => {
      const query = { from_index: page * PAGE_SIZE, limit: MOST };
      const response = await unwrap(
        api.GET("/api/conversations/{conversation_id}/memories", {
          params: { ...path(id).params, query },
          signal,
        }),
      );
      return response.data;
    },
  });
}

/** Take a memory back; what it replaced holds again. */
export function useForget(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ memory_id: node_id, change_id }: { memory_id: string; change_id: string }) =>
      unwrap(
        api.POST("/api/memories/{node_id}/undo", {
          params: { path: { node_id } },
          body: { change_id, reason: "" },
        }),
      ),
    onSettled: () =>
      Promise.all([keys.memories(id), keys.memory].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
