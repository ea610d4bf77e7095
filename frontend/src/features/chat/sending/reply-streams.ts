/**
 * The replies that this page follows, by conversation. They live outside of the components: who looks at another
 * conversation meanwhile, or comes back, loses nothing.
 */

import { useSyncExternalStore } from "react";
import { Unreachable } from "@/api/problems";
import type { Message } from "@/api/messages";
import type { TurnEvent, TurnFinished } from "@/api/turns";
import { createNotifier } from "@/lib/notifier";

export interface RunningTurn {
  said: Message | null;
  reply: { id: string; index: number } | null;
  text: string;
  /** `broken`: the connection ended before the reply did. */
  state: "asked" | "writing" | "ended" | "broken";
  ending: TurnFinished["data"]["reply"] | null;
}

const FRESH: RunningTurn = { said: null, reply: null, text: "", state: "asked", ending: null };
/** Longer text is shown less often: reading it again from the beginning costs more. */
const SHOWN_EVERY_MS = 50;
const CHARACTERS_PER_MS = 200;

const turns = new Map<string, RunningTurn>();
const followed = new Map<string, AbortController>();
const { watch, notify } = createNotifier();

export function turnIn(id: string): RunningTurn | null {
  return turns.get(id) ?? null;
}

export function isUnderWay(turn: RunningTurn | null): boolean {
  return turn?.state === "asked" || turn?.state === "writing";
}

/** Whether a reply is being written, by this page's knowledge and the socket's, which comes a little later. */
export function isReplying(turn: RunningTurn | null, live: { reply_id: string } | null | undefined): boolean {
  if (isUnderWay(turn)) return true;
  return live != null && !(turn?.state === "ended" && turn.reply?.id === live.reply_id);
}

export function useTurn(id: string): RunningTurn | null {
  return useSyncExternalStore(watch, () => turnIn(id));
}

export { watch };

export function forgetTurn(id: string): void {
  if (turns.delete(id)) notify();
}

/** Follow a reply to its end. Throws where it did not even begin; a connection lost later leaves it `broken`. */
export async function followTurn(
  id: string,
  events: (signal: AbortSignal) => AsyncIterable<TurnEvent>,
  onStarted?: () => void,
): Promise<RunningTurn> {
  const before = turnIn(id);
  const following = new AbortController();
  followed.set(id, following);
  set(id, FRESH);
  try {
    for await (const event of events(following.signal)) {
      taken(id, event);
      if (event.name === "started") onStarted?.();
    }
  } catch (error) {
    if (turnIn(id)?.reply == null) {
      restore(id, before);
      throw error;
    }
  }
  return closed(id, before);
}

/** Follow it no longer: it has ended, though its stream did not say so. */
export function leaveTurn(id: string): void {
  followed.get(id)?.abort();
}

function closed(id: string, before: RunningTurn | null): RunningTurn {
  flush(id);
  const turn = turnIn(id) ?? FRESH;
  if (turn.reply === null) {
    restore(id, before);
    throw new Unreachable(null);
  }
  if (turn.state !== "ended") set(id, { ...turn, state: "broken" });
  return turnIn(id) ?? turn;
}

function restore(id: string, before: RunningTurn | null): void {
  if (before === null) forgetTurn(id);
  else set(id, before);
}

function taken(id: string, event: TurnEvent): void {
  if (event.name === "delta") {
    grow(id, event.data.text);
    return;
  }
  flush(id);
  const turn = turnIn(id) ?? FRESH;
  if (event.name === "started") {
    const { message, reply } = event.data;
    set(id, { ...turn, said: message, reply, state: "writing" });
  } else if (event.name === "finished") {
    set(id, { ...turn, state: "ended", ending: event.data.reply });
  }
}

const growing = new Map<string, { text: string; timer: ReturnType<typeof setTimeout> }>();

function grow(id: string, text: string): void {
  const pending = growing.get(id);
  if (pending) {
    pending.text += text;
    return;
  }
  const pause = Math.max(SHOWN_EVERY_MS, (turnIn(id)?.text.length ?? 0) / CHARACTERS_PER_MS);
  growing.set(id, { text, timer: setTimeout(() => flush(id), pause) });
}

function flush(id: string): void {
  const pending = growing.get(id);
  if (!pending) return;
  clearTimeout(pending.timer);
  growing.delete(id);
  const turn = turnIn(id);
  if (turn) set(id, { ...turn, text: turn.text + pending.text });
}

function set(id: string, turn: RunningTurn): void {
  turns.set(id, turn);
  notify();
}
