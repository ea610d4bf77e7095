/** User memory: facts that a person stores about themselves for all of their conversations in a workspace. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, unwrap } from "./client";
import { keys } from "./keys";

export type UserMemory = Schemas["UserMemory"];
export type UserMemoryType = Schemas["UserMemoryTypeEnum"];

export const userMemoryQuery = queryOptions({
  queryKey: keys.userMemory,
  queryFn: async () => {
    const memories: UserMemory[] = [];
    for (let cursor = ""; ;) {
      const query = { limit: 200, ...(cursor ? { cursor } : {}) };
      const page = await unwrap(api.GET("/api/user-memory", { params: { query } }));
      memories.push(...page.data);
      if (!page.next_cursor) return memories;
      cursor = page.next_cursor;
    }
  },
});

export function useCreateUserMemory() {
  return useMemoryMutation((body: Schemas["UserMemoryRequest"]) =>
    unwrap(api.POST("/api/user-memory", { body })),
  );
}

export function useChangeUserMemory() {
  return useMemoryMutation(
    ({ memory, body }: { memory: UserMemory; body: Schemas["UserMemoryChangesRequest"] }) =>
      unwrap(
        api.PATCH("/api/user-memory/{memory_id}", {
          params: { path: { memory_id: memory.id }, header: ifMatch(memory.version) },
          body,
        }),
      ),
  );
}

export function useDeleteUserMemory() {
  return useMemoryMutation(({ id, version }: UserMemory) => {
    const params = { path: { memory_id: id }, header: ifMatch(version) };
    return unwrap(api.DELETE("/api/user-memory/{memory_id}", { params }));
  });
}

/** Refetch every pack too, because all of them contain user memory. */
function useMemoryMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.userMemory }),
        client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[2] === "context" }),
      ]),
  });
}
