/** Conversations: list, read, create, change and fork. */

import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, ifMatch, type Schemas, unwrap } from "./client";
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

interface PageRequest {
  archived?: boolean;
  limit: number;
  cursor: string | null | undefined;
}

function conversationPage({ cursor, ...filters }: PageRequest): Promise<Schemas["ConversationPage"]> {
  const query = cursor ? { ...filters, cursor } : filters;
  return unwrap(api.GET("/api/conversations", { params: { query } }));
}

export function conversationQuery(id: string) {
  return queryOptions({
    queryKey: keys.conversation(id),
    queryFn: () => unwrap(api.GET("/api/conversations/{conversation_id}", path(id))),
  });
}

type Membership = Schemas["Me"]["memberships"][number];

/** The first of these workspaces in which the user can read the conversation, or null. */
export function conversationElsewhereQuery(id: string, workspaces: readonly Membership[]) {
  return queryOptions({
    queryKey: [...keys.conversation(id), "elsewhere"],
    queryFn: async () => {
      for (const workspace of workspaces) {
        if (await isReadableIn(id, workspace)) return workspace;
      }
      return null;
    },
  });
}

async function isReadableIn(id: string, workspace: Membership): Promise<boolean> {
  const params = { path: { conversation_id: id }, header: { "X-Continuity-Workspace": workspace.id } };
  const { response } = await api.GET("/api/conversations/{conversation_id}", { params });
  return response.ok;
}

const MAX_PAGE_SIZE = 200;
const MAX_PAGES = 5;

/** The conversation with this external id, or null if it is not among the most recent `MAX_PAGES` pages. */
export function conversationByExternalIdQuery(externalId: string) {
  return queryOptions({
    queryKey: keys.named(externalId),
    queryFn: async () => {
      let page: Schemas["ConversationPage"] | null = null;
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        page = await conversationPage({ limit: MAX_PAGE_SIZE, cursor: page?.next_cursor });
        const match = page.data.find(({ external_id }) => external_id === externalId);
        if (match !== undefined || page.next_cursor === null) return match ?? null;
      }
      return null;
    },
    staleTime: Infinity,
  });
}

/** Move a conversation to the top of the cached list after new activity, before the server confirms it. */
export function moveToTop(client: QueryClient, id: string): void {
  client.setQueryData(conversationsQuery().queryKey, (list) => {
    const moved = list?.pages.flatMap(({ data }) => data).find((one) => one.id === id);
    if (list === undefined || moved === undefined) return list;
    const first = { ...moved, active_at: new Date().toISOString() };
    const pages = list.pages.map((page, pageIndex) => {
      const others = page.data.filter((one) => one.id !== id);
      return { ...page, data: pageIndex === 0 ? [first, ...others] : others };
    });
    return { ...list, pages };
  });
}

/** The list, and the branches of each conversation. */
function invalidateLists(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: keys.branches });
  return client.invalidateQueries({ queryKey: keys.conversations });
}

export function useCreateConversation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ConversationRequest"]) => unwrap(api.POST("/api/conversations", { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.conversations }),
  });
}

export function useChangeConversation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, version, body }: ConversationChange) =>
      unwrap(
        api.PATCH("/api/conversations/{conversation_id}", {
          params: { path: { conversation_id: id }, header: ifMatch(version) },
          body,
        }),
      ),
    onSuccess: (changed) => {
      client.setQueryData(conversationQuery(changed.id).queryKey, changed);
      return invalidateLists(client);
    },
  });
}

/** Delete permanently. */
export function useDeleteConversation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => unwrap(api.DELETE("/api/conversations/{conversation_id}", path(id))),
    onSuccess: () => invalidateLists(client),
  });
}

/** Fork with all messages up to and including `throughIndex`; null for none. */
export function useFork() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, throughIndex, title }: { id: string; throughIndex: number | null; title?: string }) =>
      unwrap(
        api.POST("/api/conversations/{conversation_id}/fork", {
          ...path(id),
          body: { through_index: throughIndex, ...(title === undefined ? {} : { title }) },
        }),
      ),
    onSuccess: () => invalidateLists(client),
  });
}

interface ConversationChange {
  id: string;
  version: number;
  body: Schemas["ConversationChangesRequest"];
}

export function path(id: string) {
  return { params: { path: { conversation_id: id } } };
}
