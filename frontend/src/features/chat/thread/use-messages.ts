/** The messages of a conversation by index: pages loaded on demand, merged with the reply that is streaming. */

import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type Message, messagesQuery, PAGE_SIZE } from "@/api/messages";
import type { RunningTurn } from "../sending/reply-streams";

const STALE_MS = 1000;

export type MessageAt = (index: number) => Message | undefined;

export interface Messages {
  messageAt: MessageAt;
  /** A page in view could not be loaded. */
  hasFailed: boolean;
  retry: () => void;
}

export function useMessages(id: string, pages: readonly number[], turn: RunningTurn | null): Messages {
  const { loaded, hasFailed, retry } = useQueries({
    queries: pages.map((page) => ({ ...messagesQuery(id, page), staleTime: STALE_MS })),
    combine: useCallback((results: UseQueryResult<Message[]>[]) => byPage(pages, results), [pages]),
  });
  const messageAt = useMemo(() => {
    const stored: MessageAt = (index) => loaded.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE];
    return turn === null ? stored : (index: number) => mergeTurn(index, stored(index), turn);
  }, [loaded, turn]);
  return { messageAt, hasFailed, retry };
}

function byPage(pages: readonly number[], results: UseQueryResult<Message[]>[]) {
  const failed = results.filter((result) => result.isError && result.data === undefined);
  return {
    loaded: new Map(pages.map((page, index) => [page, results[index]?.data])),
    hasFailed: failed.length > 0,
    retry: () => failed.forEach((result) => void result.refetch()),
  };
}

/** A stored, finished reply takes precedence over the stream; otherwise the longer text does. */
export function mergeTurn(
  index: number,
  stored: Message | undefined,
  turn: RunningTurn,
): Message | undefined {
  if (stored === undefined && turn.message?.index === index) return turn.message;
  if (turn.reply?.index !== index) return stored;
  if (stored !== undefined && (stored.id !== turn.reply.id || stored.status !== "streaming")) return stored;
  const base = stored ?? emptyReply(turn.reply);
  const content = turn.text.length >= base.content.length ? turn.text : base.content;
  const { status = "streaming", error_code = "" } = turn.ending ?? {};
  return { ...base, content, status, error_code };
}

function emptyReply({ id, index }: { id: string; index: number }): Message {
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
    used_count: 0,
    usage: null,
    external_id: null,
    created_at: new Date().toISOString(),
  };
}

/** The pages of these rows, and always the newest page. */
export function pagesOf(rows: readonly number[], count: number): number[] {
  const newest = Math.max(0, count - 1);
  const pages = new Set(
    [...rows.filter((row) => row < count), newest].map((row) => Math.floor(row / PAGE_SIZE)),
  );
  return [...pages].sort((one, other) => one - other);
}
