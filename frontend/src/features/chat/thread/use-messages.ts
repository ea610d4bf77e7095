/** The messages of a conversation by index: pages of them as they are looked at, and over them the reply being written. */

import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type Message, messagesQuery, PAGE } from "@/api/messages";
import type { RunningTurn } from "../sending/reply-streams";

const FRESH_MS = 1000;

export type MessageAt = (index: number) => Message | undefined;

export interface Messages {
  messageAt: MessageAt;
  /** Some that are wanted did not come. */
  isMissing: boolean;
  askAgain: () => void;
}

export function useMessages(id: string, pages: readonly number[], turn: RunningTurn | null): Messages {
  const { loaded, isMissing, askAgain } = useQueries({
    queries: pages.map((page) => ({ ...messagesQuery(id, page), staleTime: FRESH_MS })),
    combine: useCallback((results: UseQueryResult<Message[]>[]) => byPage(pages, results), [pages]),
  });
  const messageAt = useMemo(() => {
    const stored: MessageAt = (index) => loaded.get(Math.floor(index / PAGE))?.[index % PAGE];
    return turn === null ? stored : (index: number) => withTurn(index, stored(index), turn);
  }, [loaded, turn]);
  return { messageAt, isMissing, askAgain };
}

function byPage(pages: readonly number[], results: UseQueryResult<Message[]>[]) {
  const missing = results.filter((result) => result.isError && result.data === undefined);
  return {
    loaded: new Map(pages.map((page, place) => [page, results[place]?.data])),
    isMissing: missing.length > 0,
    askAgain: () => missing.forEach((result) => void result.refetch()),
  };
}

/** A stored reply that has ended says more than what was followed; else whichever is longer. */
export function withTurn(index: number, stored: Message | undefined, turn: RunningTurn): Message | undefined {
  if (stored === undefined && turn.said?.index === index) return turn.said;
  if (turn.reply?.index !== index) return stored;
  if (stored !== undefined && (stored.id !== turn.reply.id || stored.status !== "streaming")) return stored;
  const known = stored ?? unwritten(turn.reply);
  const content = turn.text.length >= known.content.length ? turn.text : known.content;
  const { status = "streaming", error_code = "" } = turn.ending ?? {};
  return { ...known, content, status, error_code };
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
    error_code: "",
    usage: null,
    external_id: null,
    created_at: new Date().toISOString(),
  };
}

/** The pages in which these rows stand, and the newest one, which everybody wants. */
export function pagesOf(rows: readonly number[], count: number): number[] {
  const newest = Math.max(0, count - 1);
  const pages = new Set([...rows.filter((row) => row < count), newest].map((row) => Math.floor(row / PAGE)));
  return [...pages].sort((one, other) => one - other);
}
