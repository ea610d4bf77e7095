/** Sends what waits in the outbox, one message after the other: the next one only when its reply has ended. */

import type { QueryClient } from "@tanstack/react-query";
import { keys } from "@/api/keys";
import { isProblem, Problem, Unreachable } from "@/api/problems";
import { turn } from "@/api/turns";
import { problemWords } from "@/components/toast";
import { change, take, type Waiting, waitingIn } from "@/lib/outbox";
import { countFetched, countSent, tellTally } from "./tally";
import { followTurn, isUnderWay, turnIn } from "./turns-store";

const BUSY = new Set([429, 502, 503, 504]);
const sending = new Set<string>();

/** Whose outbox, for which conversation. */
export interface Errand {
  client: QueryClient;
  id: string;
  box: string;
}

export async function sendWaiting(errand: Errand): Promise<void> {
  const { id } = errand;
  if (sending.has(id)) return;
  sending.add(id);
  try {
    while (await sendNext(errand));
  } finally {
    sending.delete(id);
  }
}

/** Whether the one after it may go. */
async function sendNext(errand: Errand): Promise<boolean> {
  const { client, id, box } = errand;
  const next = waitingIn(box).find((one) => one.refused === "");
  if (next === undefined || isUnderWay(turnIn(id))) return false;
  try {
    const { state } = await followTurn(
      id,
      (signal) => turn(id, said(next), signal),
      () => stored(errand, next),
    );
    if (next.delayed && state === "ended") countFetched();
    await refreshed(client, id);
    if (!waitingIn(box).some((one) => one.delayed)) tellTally();
    return state === "ended";
  } catch (error) {
    return failed(errand, next, error);
  }
}

function said({ content, externalId, name }: Waiting) {
  return { content, name, role: "user", external_id: externalId } as const;
}

function stored({ client, id, box }: Errand, message: Waiting): void {
  take(box, message.externalId);
  if (message.delayed) countSent();
  void refreshed(client, id);
}

function failed(errand: Errand, message: Waiting, error: unknown): boolean {
  const { box } = errand;
  if (error instanceof Unreachable || (error instanceof Problem && BUSY.has(error.status))) {
    change(box, message.externalId, { delayed: true });
    return false;
  }
  if (isProblem(error, "turn_running")) return false;
  if (isProblem(error, "not_the_newest")) {
    stored(errand, message);
    return true;
  }
  change(box, message.externalId, { refused: problemWords(error) });
  return false;
}

/** What a turn changes; the socket says so too, unless it is away. */
export async function refreshed(client: QueryClient, id: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: keys.messages(id) }),
    client.invalidateQueries({ queryKey: keys.conversation(id), exact: true }),
  ]);
}
