/**
 * Send the messages in all of a user's boxes of a workspace. In each box they are sent one at a time: the next after
 * the reply to the previous one has ended.
 */

import type { QueryClient } from "@tanstack/react-query";
import type { Me } from "@/api/session";
import {
  type Box,
  boxesOf,
  updateUnsent,
  type Delay,
  retryUnsentNow,
  type UnsentMessage,
  unsentIn,
  subscribeToOutbox,
} from "@/lib/outbox";
import { createConversationFromOutbox } from "./create-conversation";
import { sendMessage } from "./send-message";
import { isUnderWay, subscribeToTurns, turnIn } from "./reply-streams";
import { singleFlight } from "../in-flight";

/** Another window may hold the lock, and be closed while sending. */
const RECHECK_MS = 5000;

/** Start the worker; returns a function that stops it. */
export function startOutboxWorker(client: QueryClient, me: Me): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const visitAll = () => {
    const times = boxesIn(me).map((box) => visitBox({ client, me, wake }, box));
    schedule(Math.min(...times) - Date.now());
  };
  const schedule = (delay: number) => {
    clearTimeout(timer);
    if (delay !== Infinity && !isStopped) timer = setTimeout(visitAll, Math.max(0, delay));
  };
  const wake = () => schedule(0);
  const onOnline = () => {
    retryAllNow(me, ["connection"]);
    wake();
  };
  const unsubscribers = [subscribeToOutbox(wake), subscribeToTurns(wake)];
  window.addEventListener("online", onOnline);
  wake();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    window.removeEventListener("online", onOnline);
    for (const unsubscribe of unsubscribers) unsubscribe();
  };
}

/** Retry messages immediately that were delayed for one of these reasons. */
export function retryAllNow(me: Me, delays: readonly Delay[]): void {
  for (const { name } of boxesIn(me)) retryUnsentNow(name, delays);
}

function boxesIn({ user, workspace }: Me): Box[] {
  return boxesOf(user.id, workspace?.id ?? "");
}

interface WorkerContext {
  client: QueryClient;
  me: Me;
  wake: () => void;
}

/** Return the time of the next visit. Changes in the box wake the worker earlier. */
function visitBox({ client, me, wake }: WorkerContext, { name: box, conversationId: id }: Box): number {
  const next = unsentIn(box).find((one) => one.refused === "");
  if (next === undefined || (id !== null && isUnderWay(turnIn(id)))) return Infinity;
  if (!navigator.onLine) return waitForConnection(box, next);
  if (next.notBefore > Date.now()) return next.notBefore;
  const sendNext = () =>
    singleFlight(next.externalId, () =>
      id === null ? createConversationFromOutbox(client, me) : sendMessage({ client, id, box }, next),
    );
  void withLock(box, sendNext).then((wasDone) => {
    if (wasDone) wake();
  });
  return Date.now() + RECHECK_MS;
}

/** Allow one window at a time. The Web Locks API is missing on pages without HTTPS. */
async function withLock(box: string, sendNext: () => Promise<void>): Promise<boolean> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return sendNext().then(() => true);
  return locks.request(`outbox ${box}`, { ifAvailable: true }, (lock) =>
    lock === null ? false : sendNext().then(() => true),
  );
}

/** Offline: the browser reports when the connection is back. */
function waitForConnection(box: string, { externalId, delay }: UnsentMessage): number {
  if (delay !== "connection") updateUnsent(box, externalId, { delay: "connection", notBefore: 0 });
  return Infinity;
}
