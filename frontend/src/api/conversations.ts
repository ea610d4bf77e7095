/** Conversations: the list, one of them, and what can be done with it as a whole. */

import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, ifMatch, type Schemas, taken } from "./client";
import { keys } from "./keys";

export type Conversation = Schemas["Conversation"];

export function conversationsQuery(archived = false) {
  return infiniteQueryOptions({
    queryKey: [...keys.conversations, archived ? "archived" : "open"],
    initialPageParam: "",
    queryFn: ({ pageParam }) => conversationPage({ archived, limit: 50, cursor: pageParam }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

interface PageWish {
  archived?: boolean;
  limit: number;
  cursor: string | null | undefined;
}

function conversationPage({ cursor, ...wish }: PageWish): Promise<Schemas["ConversationPage"]> {
  const query = cursor ? { ...wish, cursor } : wish;
  return taken(api.GET("/api/conversations", { params: { query } }));
}

export function conversationQuery(id: string) {
  return queryOptions({
    queryKey: keys.conversation(id),
    queryFn: () => taken(api.GET("/api/conversations/{conversation_id}", path(id))),
  });
}

const LONGEST_PAGE = 200;
const MOST_PAGES = 5;

/** The one that has this name where it came from, if it is not too far down in the list; null where there is none. */
export function namedQuery(externalId: string) {
  return queryOptions({
    queryKey: keys.named(externalId),
    queryFn: async () => {
      let page: Schemas["ConversationPage"] | null = null;
      for (let pages = 0; pages < MOST_PAGES; pages += 1) {
        page = await conversationPage({ limit: LONGEST_PAGE, cursor: page?.next_cursor });
        const found = page.data.find(({ external_id }) => external_id === externalId);
        if (found !== undefined || page.next_cursor === null) return found ?? null;
      }
      return null;
    },
    staleTime: Infinity,
  });
}

/** Something was said in it: in the list it stands first, before the server is asked. */
export function moveUp(client: QueryClient, id: string): void {
  client.setQueryData(conversationsQuery().queryKey, (list) => {
    const moved = list?.pages.flatMap(({ data }) => data).find((one) => one.id === id);
    if (list === undefined || moved === undefined) return list;
    const first = { ...moved, active_at: new Date().toISOString() };
    const pages = list.pages.map((page, place) => {
      const others = page.data.filter((one) => one.id !== id);
      return { ...page, data: place === 0 ? [first, ...others] : others };
    });
    return { ...list, pages };
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
