/** The memories found in a conversation's messages, by page of messages, and their undo. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";
import { PAGE_SIZE } from "./messages";

export type ExtractedMemory = Schemas["ExtractedMemory"];

const MOST = 200;

/** Whether the message asked to forget the memory, rather than made it. */
export function isOfForgetting({ outcome }: ExtractedMemory): boolean {
  return outcome === "forgotten" || outcome === "to_forget";
}

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

/** Forget a memory that a message may mean, or remember again what was forgotten. */
export function useForgetting(id: string) {
  return useMemoryMutation(id, ({ id: node_id, action }: { id: string; action: "archive" | "restore" }) =>
    unwrap(api.POST(`/api/memories/{node_id}/${action}`, { params: { path: { node_id } } })),
  );
}

/** Take a memory back; what it replaced holds again. */
export function useForget(id: string) {
  return useMemoryMutation(
    id,
    ({ memory_id: node_id, change_id }: { memory_id: string; change_id: string }) =>
      unwrap(
        api.POST("/api/memories/{node_id}/undo", {
          params: { path: { node_id } },
          body: { change_id, reason: "" },
        }),
      ),
  );
}

function useMemoryMutation<Input, Result>(id: string, mutationFn: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([keys.memories(id), keys.memory].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
