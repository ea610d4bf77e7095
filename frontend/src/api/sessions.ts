/** Sessions of coding agents, and other conversations as sessions: what happened, and what was remembered of it. */

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { keys } from "./keys";

export type Session = Schemas["Session"];
export type SessionDetail = Schemas["SessionDetail"];
export type SessionKind = "agent" | "chat";
export type Observation = Schemas["Observation"];
type Message = Schemas["Message"];

const REFETCH_MS = 4_000;
const LIST_SIZE = 30;
const MESSAGES = 50;
const OBSERVATIONS = 100;

export function isRunning({ agent }: Session | SessionDetail): boolean {
  return agent !== null && agent.ended_at === null;
}

export function sessionsQuery(kind: SessionKind) {
  return infiniteQueryOptions({
    queryKey: keys.sessions(kind),
    initialPageParam: "",
    queryFn: ({ pageParam: cursor }) => {
      const query = { kind, limit: LIST_SIZE, ...(cursor === "" ? {} : { cursor }) };
      return unwrap(api.GET("/api/sessions", { params: { query } }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isRunning)) === true ? REFETCH_MS : false,
  });
}

export function sessionQuery(id: string) {
  return queryOptions({
    queryKey: keys.session(id),
    queryFn: () => unwrap(api.GET("/api/sessions/{session}", { params: { path: { session: id } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? REFETCH_MS : false),
  });
}

/** The newest messages first, by page of indexes; earlier and later pages are loaded on demand. */
export function sessionMessagesQuery(conversationId: string, messageCount: number, running: boolean) {
  return infiniteQueryOptions({
    queryKey: [...keys.session(conversationId), "messages"],
    initialPageParam: pageBefore(messageCount),
    queryFn: async ({ pageParam: { from, limit } }): Promise<Message[]> => {
      const query = { from_index: from, limit };
      const params = { path: { conversation_id: conversationId }, query };
      return (await unwrap(api.GET("/api/conversations/{conversation_id}/messages", { params }))).data;
    },
    getPreviousPageParam: (_page, _pages, { from }) => (from === 0 ? undefined : pageBefore(from)),
    getNextPageParam: (page, _pages, { from, limit }) =>
      page.length < limit ? undefined : { from: from + limit, limit: MESSAGES },
    staleTime: 0,
    refetchInterval: ({ state }) => running && intervalOf(state.data?.pages),
  });
}

/** The newest first. */
export function observationsQuery(conversationId: string, running: boolean) {
  return infiniteQueryOptions({
    queryKey: [...keys.session(conversationId), "observations"],
    initialPageParam: "",
    queryFn: ({ pageParam: cursor }) => {
      const query = { limit: OBSERVATIONS, newest_first: true, ...(cursor === "" ? {} : { cursor }) };
      const params = { path: { session: conversationId }, query };
      return unwrap(api.GET("/api/sessions/{session}/observations", { params }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => running && intervalOf(state.data?.pages),
  });
}

/** The page that ends before an index. */
function pageBefore(index: number): { from: number; limit: number } {
  const from = Math.max(0, index - MESSAGES);
  return { from, limit: Math.max(1, index - from) };
}

/** A refetch loads every page again, so that many pages are loaded less often. */
function intervalOf(pages: readonly unknown[] = []): number {
  return REFETCH_MS * Math.max(1, pages.length);
}
