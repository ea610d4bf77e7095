/** User memory: what a person wrote down about themselves, for all of their chats in a workspace. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, taken } from "./client";
import { keys } from "./keys";

export type UserMemory = Schemas["UserMemory"];
export type UserMemoryType = Schemas["UserMemoryTypeEnum"];

export const userMemoryQuery = queryOptions({
  queryKey: keys.userMemory,
  queryFn: async () => {
    const found: UserMemory[] = [];
    for (let cursor = ""; ;) {
      const query = { limit: 200, ...(cursor ? { cursor } : {}) };
      const page = await taken(api.GET("/api/user-memory", { params: { query } }));
      found.push(...page.data);
      if (!page.next_cursor) return found;
      cursor = page.next_cursor;
    }
  },
});

export function useCreateUserMemory() {
  return useMemoryChange((body: Schemas["UserMemoryRequest"]) =>
    taken(api.POST("/api/user-memory", { body })),
  );
}

export function useChangeUserMemory() {
  return useMemoryChange(
    ({ memory, body }: { memory: UserMemory; body: Schemas["PatchedUserMemoryChangesRequest"] }) =>
      taken(
        api.PATCH("/api/user-memory/{memory_id}", {
          params: { path: { memory_id: memory.id }, header: ifMatch(memory.version) },
          body,
        }),
      ),
  );
}

export function useDeleteUserMemory() {
  return useMemoryChange(({ id, version }: UserMemory) => {
    const params = { path: { memory_id: id }, header: ifMatch(version) };
    return taken(api.DELETE("/api/user-memory/{memory_id}", { params }));
  });
}

/** It stands in every pack of the person. */
function useMemoryChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
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
