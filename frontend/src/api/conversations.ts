/** Conversations: the list, one of them, and what can be done with it as a whole. */

import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, taken } from "./client";
import { keys } from "./keys";

export type Conversation = Schemas["Conversation"];

export function conversationsQuery(archived = false) {
  return infiniteQueryOptions({
    queryKey: [...keys.conversations, archived ? "archived" : "open"],
    initialPageParam: "",
    queryFn: ({ pageParam }) =>
      taken(
        api.GET("/api/conversations", {
          params: { query: { archived, limit: 50, ...(pageParam ? { cursor: pageParam } : {}) } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

export function conversationQuery(id: string) {
  return queryOptions({
    queryKey: keys.conversation(id),
    queryFn: () => taken(api.GET("/api/conversations/{conversation_id}", path(id))),
  });
}

export function useCreateConversation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ConversationRequest"]) => taken(api.POST("/api/conversations", { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.conversations }),
  });
}

export function useChangeConversation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, version, body }: ConversationChange) =>
      taken(
        api.PATCH("/api/conversations/{conversation_id}", {
          params: { path: { conversation_id: id }, header: ifMatch(version) },
          body,
        }),
      ),
    onSuccess: (changed) => {
      client.setQueryData(conversationQuery(changed.id).queryKey, changed);
      return client.invalidateQueries({ queryKey: keys.conversations });
    },
  });
}

/** Up to and with the message at `throughIndex`. */
export function useFork() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, throughIndex, title }: { id: string; throughIndex: number; title?: string }) =>
      taken(
        api.POST("/api/conversations/{conversation_id}/fork", {
          ...path(id),
          body: { through_index: throughIndex, ...(title === undefined ? {} : { title }) },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.conversations }),
  });
}

interface ConversationChange {
  id: string;
  version: number;
  body: Schemas["PatchedConversationChangesRequest"];
}

export function path(id: string) {
  return { params: { path: { conversation_id: id } } };
}
