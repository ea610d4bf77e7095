/**
 * What was said and is not with the server yet, in the order in which it was said, kept by the browser. Each message has
 * a name of its own, by which the server knows it when it comes a second time.
 */

import { createNotifier } from "./notifier";
import { keep, kept } from "./local-storage";

/** No connection, a server that is busy, a session that ended, or a reply that is being written. */
export type Delay = "" | "connection" | "busy" | "session" | "turn";

export interface Waiting {
  externalId: string;
  content: string;
  /** Who says it, where several people talk; else "". */
  name: string;
  at: string;
  /** What holds it up; "" while nothing does. */
  delay: Delay;
  /** It is not tried again before this moment; 0 where it may go at once. */
  notBefore: number;
  /** Why the server does not take it; "" while it may still go. */
  refused: string;
}

/** Where messages wait; without a conversation for one that is yet to be made. */
export interface Box {
  name: string;
  conversationId: string | null;
}

const PREFIX = "outbox:";
const NEW = "new";
const NONE: readonly Waiting[] = [];

const boxes = new Map<string, readonly Waiting[]>();
const unkept = new Set<string>();
const { watch, notify } = createNotifier();

/** Somebody's messages for a conversation, or for one that is yet to be made: a browser may serve several people. */
export function boxOf(userId: string, workspaceId: string, conversationId: string | null): string {
  return `${userId}/${workspaceId}/${conversationId ?? NEW}`;
}

/** All boxes of somebody, or of theirs in one workspace, in which something waits. */
export function boxesOf(userId: string, workspaceId?: string): Box[] {
  const begin = workspaceId === undefined ? `${userId}/` : `${userId}/${workspaceId}/`;
  return [...new Set([...boxes.keys(), ...stored()])]
    .filter((box) => box.startsWith(begin) && waitingIn(box).length > 0)
    .sort()
    .map((box) => ({ name: box, conversationId: conversationOf(box) }));
}

function conversationOf(box: string): string | null {
  const id = box.slice(box.lastIndexOf("/") + 1);
  return id === NEW ? null : id;
}

/** How many messages wait in all of somebody's boxes, or in those of one workspace. */
export function countWaiting(userId: string, workspaceId?: string): number {
  return boxesOf(userId, workspaceId).reduce((sum, { name }) => sum + waitingIn(name).length, 0);
}

export function waitingIn(box: string): readonly Waiting[] {
  const known = boxes.get(box);
  if (known !== undefined) return known;
  const read = kept<readonly Waiting[]>(PREFIX + box, NONE);
  boxes.set(box, read);
  return read;
}

export function put(box: string, content: string, author = ""): Waiting {
  const at = new Date().toISOString();
  const message: Waiting = {
    externalId: newName(),
    content,
    name: author,
    at,
    delay: "",
    notBefore: 0,
    refused: "",
  };
  putBack(box, message);
  return message;
}

export function putBack(box: string, message: Waiting): void {
  become(box, [...latestIn(box), message]);
}

export function change(box: string, externalId: string, changes: Partial<Waiting>): void {
  const changed = (one: Waiting) => (one.externalId === externalId ? { ...one, ...changes } : one);
  become(box, latestIn(box).map(changed));
}

export function take(box: string, externalId: string): void {
  become(
    box,
    latestIn(box).filter((one) => one.externalId !== externalId),
  );
}

/** The conversation is made: what waited for it goes there, once, whichever window moves it. */
export function move(from: string, to: string): void {
  const known = latestIn(to);
  const there = new Set(known.map((one) => one.externalId));
  become(to, [...known, ...latestIn(from).filter((one) => !there.has(one.externalId))]);
  become(from, NONE);
}

/** What was held up by one of these may go at once. */
export function hasten(box: string, delays: readonly Delay[]): void {
  if (!waitingIn(box).some((one) => one.notBefore > 0 && delays.includes(one.delay))) return;
  const hastened = (one: Waiting) => (delays.includes(one.delay) ? { ...one, notBefore: 0 } : one);
  become(box, latestIn(box).map(hastened));
}

export { watch as watchOutbox };

/** Forget what was read, as when another window of this browser wrote. */
export function reread(): void {
  boxes.clear();
  notify();
}

/** `randomUUID` is missing where the page does not come over HTTPS. */
function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Another window may have written a moment ago; what the browser would not keep, this one alone knows. */
function latestIn(box: string): readonly Waiting[] {
  if (!unkept.has(box)) boxes.delete(box);
  return waitingIn(box);
}

function become(box: string, messages: readonly Waiting[]): void {
  boxes.set(box, messages);
  if (keep(PREFIX + box, messages.length === 0 ? null : messages)) unkept.delete(box);
  else unkept.add(box);
  notify();
}

/** The names of the boxes that the browser keeps. */
function stored(): string[] {
  try {
    return Object.keys(localStorage).flatMap((key) => key.split(PREFIX)[1] ?? []);
  } catch {
    return [];
  }
}

window.addEventListener("storage", ({ key }) => {
  if (key === null || key.includes(PREFIX)) reread();
});
