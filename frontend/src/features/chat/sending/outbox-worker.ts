/**
 * Goes round all of somebody's boxes in a workspace and sends what may go, in each box one message after the other: the
 * next one only when the reply to the one before has ended.
 */

import type { QueryClient } from "@tanstack/react-query";
import type { Me } from "@/api/session";
import {
  type Box,
  boxesOf,
  change,
  type Delay,
  hasten,
  type Waiting,
  waitingIn,
  watchOutbox,
} from "@/lib/outbox";
import { beginConversation } from "./create-conversation";
import { send } from "./send-message";
import { isUnderWay, turnIn, watch } from "./reply-streams";
import { once } from "../in-flight";

/** Another window may be sending it, and be closed over that. */
const LOOK_AGAIN_MS = 5000;

/** Until the function that it gives is called. */
export function keepSending(client: QueryClient, me: Me): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const goRound = () => {
    const moments = boxesIn(me).map((box) => visited({ client, me, wake }, box));
    again(Math.min(...moments) - Date.now());
  };
  const again = (pause: number) => {
    clearTimeout(timer);
    if (pause !== Infinity && !isOver) timer = setTimeout(goRound, Math.max(0, pause));
  };
  const wake = () => again(0);
  const online = () => {
    hastenAll(me, ["connection"]);
    wake();
  };
  const deaf = [watchOutbox(wake), watch(wake)];
  window.addEventListener("online", online);
  wake();
  return () => {
    isOver = true;
    clearTimeout(timer);
    window.removeEventListener("online", online);
    for (const stop of deaf) stop();
  };
}

/** What is held up by one of these is tried at once. */
export function hastenAll(me: Me, delays: readonly Delay[]): void {
  for (const { name } of boxesIn(me)) hasten(name, delays);
}

function boxesIn({ user, workspace }: Me): Box[] {
  return boxesOf(user.id, workspace?.id ?? "");
}

interface Round {
  client: QueryClient;
  me: Me;
  wake: () => void;
}

/** When the box is to be visited again; it wakes us by itself when something changes in it. */
function visited({ client, me, wake }: Round, { name: box, conversationId: id }: Box): number {
  const next = waitingIn(box).find((one) => one.refused === "");
  if (next === undefined || (id !== null && isUnderWay(turnIn(id)))) return Infinity;
  if (!navigator.onLine) return left(box, next);
  if (next.notBefore > Date.now()) return next.notBefore;
  const deed = () =>
    once(next.externalId, () =>
      id === null ? beginConversation(client, me) : send({ client, id, box }, next),
    );
  void alone(box, deed).then((wasDone) => {
    if (wasDone) wake();
  });
  return Date.now() + LOOK_AGAIN_MS;
}

/** In one window at a time, where the browser can tell: it cannot where the page does not come over HTTPS. */
async function alone(box: string, deed: () => Promise<void>): Promise<boolean> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return deed().then(() => true);
  return locks.request(`outbox ${box}`, { ifAvailable: true }, (lock) =>
    lock === null ? false : deed().then(() => true),
  );
}

/** There is no connection to send it by; the browser says when there is. */
function left(box: string, { externalId, delay }: Waiting): number {
  if (delay !== "connection") change(box, externalId, { delay: "connection", notBefore: 0 });
  return Infinity;
}
