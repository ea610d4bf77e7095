/** The messages of a conversation by index: pages of them as they are looked at, and over them the reply being written. */

import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type Message, messagesQuery, PAGE } from "@/api/messages";
import type { RunningTurn } from "../sending/turns-store";

const FRESH_MS = 1000;

export type MessageAt = (index: number) => Message | undefined;

export function useMessages(id: string, pages: readonly number[], turn: RunningTurn | null): MessageAt {
  const loaded = useQueries({
    queries: pages.map((page) => ({ ...messagesQuery(id, page), staleTime: FRESH_MS })),
    combine: useCallback((results: UseQueryResult<Message[]>[]) => byPage(pages, results), [pages]),
  });
  return useMemo(() => {
    const stored: MessageAt = (index) => loaded.get(Math.floor(index / PAGE))?.[index % PAGE];
    return turn === null ? stored : (index) => withTurn(index, stored(index), turn);
  }, [loaded, turn]);
}

function byPage(pages: readonly number[], results: UseQueryResult<Message[]>[]) {
  return new Map(pages.map((page, place) => [page, results[place]?.data]));
}

/** A stored reply that has ended says more than what was followed; else whichever is longer. */
export function withTurn(index: number, stored: Message | undefined, turn: RunningTurn): Message | undefined {
  if (stored === undefined && turn.said?.index === index) return turn.said;
  if (turn.reply?.index !== index) return stored;
  if (stored !== undefined && (stored.id !== turn.reply.id || stored.status !== "streaming")) return stored;
  const known = stored ?? unwritten(turn.reply);
  const content = turn.text.length >= known.content.length ? turn.text : known.content;
  return { ...known, content, status: turn.ending?.status ?? "streaming" };
}

function unwritten({ id, index }: { id: string; index: number }): Message {
  return {
    id,
    index,
    role: "assistant",
    name: "",
    content: "",
    parts: [],
    status: "streaming",
    state: "live",
    token_count: 0,
    tokens_through: 0,
    external_id: null,
    created_at: new Date().toISOString(),
  };
}

/** The pages in which these rows stand, and the newest one, which everybody wants. */
export function pagesOf(first: number, last: number, count: number): number[] {
  const pages = new Set([Math.floor(Math.max(0, count - 1) / PAGE)]);
  for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page += 1) pages.add(page);
  return [...pages].sort((one, other) => one - other);
}
