/**
 * The replies that this page streams, by conversation. They live outside of components, so that navigation does not
 * interrupt them.
 */

import { useSyncExternalStore } from "react";
import { Unreachable } from "@/api/problems";
import type { Message } from "@/api/messages";
import type { TurnEvent, TurnFinished } from "@/api/turns";
import { createNotifier } from "@/lib/notifier";

export interface RunningTurn {
  message: Message | null;
  reply: { id: string; index: number } | null;
  text: string;
  /** `broken`: the connection was lost before the reply ended. */
  state: "requested" | "writing" | "ended" | "broken";
  ending: TurnFinished["data"]["reply"] | null;
}

const REQUESTED: RunningTurn = { message: null, reply: null, text: "", state: "requested", ending: null };
/** Longer text is flushed less often, because parsing it again costs more. */
const MIN_FLUSH_MS = 50;
const CHARACTERS_PER_MS = 200;

const turns = new Map<string, RunningTurn>();
const controllers = new Map<string, AbortController>();
const { subscribe, notify } = createNotifier();

export function turnIn(id: string): RunningTurn | null {
  return turns.get(id) ?? null;
}

export function isUnderWay(turn: RunningTurn | null): boolean {
  return turn?.state === "requested" || turn?.state === "writing";
}

/** Whether a reply is being written, by the stream and by the socket, which lags a little. */
export function isReplying(turn: RunningTurn | null, live: { reply_id: string } | null | undefined): boolean {
  if (isUnderWay(turn)) return true;
  return live != null && !(turn?.state === "ended" && turn.reply?.id === live.reply_id);
}

export function useTurn(id: string): RunningTurn | null {
  return useSyncExternalStore(subscribe, () => turnIn(id));
}

export { subscribe as subscribeToTurns };

export function forgetTurn(id: string): void {
  if (turns.delete(id)) notify();
}

/** Stream a reply to its end. Throws if it did not start; a connection lost later sets `broken`. */
export async function followTurn(
  id: string,
  events: (signal: AbortSignal) => AsyncIterable<TurnEvent>,
  onStarted?: () => void,
): Promise<RunningTurn> {
  const previous = turnIn(id);
  const controller = new AbortController();
  controllers.set(id, controller);
  set(id, REQUESTED);
  try {
    for await (const event of events(controller.signal)) {
      applyEvent(id, event);
      if (event.name === "started") onStarted?.();
    }
  } catch (error) {
    if (turnIn(id)?.reply == null) {
      restore(id, previous);
      throw error;
    }
  }
  return finish(id, previous);
}

/** Abort the stream of a reply that has ended without a final event. */
export function stopFollowing(id: string): void {
  controllers.get(id)?.abort();
}

function finish(id: string, previous: RunningTurn | null): RunningTurn {
  flush(id);
  const turn = turnIn(id) ?? REQUESTED;
  if (turn.reply === null) {
    restore(id, previous);
    throw new Unreachable(null);
  }
  if (turn.state !== "ended") set(id, { ...turn, state: "broken" });
  return turnIn(id) ?? turn;
}

function restore(id: string, previous: RunningTurn | null): void {
  if (previous === null) forgetTurn(id);
  else set(id, previous);
}

function applyEvent(id: string, event: TurnEvent): void {
  if (event.name === "delta") {
    appendText(id, event.data.text);
    return;
  }
  flush(id);
  const turn = turnIn(id) ?? REQUESTED;
  if (event.name === "started") {
    const { message, reply } = event.data;
    set(id, { ...turn, message: message, reply, state: "writing" });
  } else if (event.name === "finished") {
    set(id, { ...turn, state: "ended", ending: event.data.reply });
  }
}

const pendingText = new Map<string, { text: string; timer: ReturnType<typeof setTimeout> }>();

function appendText(id: string, text: string): void {
  const pending = pendingText.get(id);
  if (pending) {
    pending.text += text;
    return;
  }
  const delay = Math.max(MIN_FLUSH_MS, (turnIn(id)?.text.length ?? 0) / CHARACTERS_PER_MS);
  pendingText.set(id, { text, timer: setTimeout(() => flush(id), delay) });
}

function flush(id: string): void {
  const pending = pendingText.get(id);
  if (!pending) return;
  clearTimeout(pending.timer);
  pendingText.delete(id);
  const turn = turnIn(id);
  if (turn) set(id, { ...turn, text: turn.text + pending.text });
}

function set(id: string, turn: RunningTurn): void {
  turns.set(id, turn);
  notify();
}
