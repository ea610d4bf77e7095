/**
 * Messages that have not reached the server yet, in the order in which they were written, stored in the browser. Each
 * has an external id, so that the server recognizes a repeated request.
 */

import { randomId } from "./random-id";
import { createNotifier } from "./notifier";
import { writeStored, readStored } from "./local-storage";

/** No connection, a busy server, an ended session, or a reply that is being written. */
export type Delay = "" | "connection" | "busy" | "session" | "turn";

export interface UnsentMessage {
  externalId: string;
  content: string;
  /** The author's name in conversations with several people, otherwise "". */
  name: string;
  at: string;
  /** The reason for the delay, or "". */
  delay: Delay;
  /** Do not retry before this time; 0 means immediately. */
  notBefore: number;
  /** Why the server rejected the message, or "" if it may still be sent. */
  refused: string;
  /** Whether the conversation that it starts is temporary. */
  temporary?: boolean;
}

/** The messages of one conversation; `conversationId` is null for a conversation that does not exist yet. */
export interface Box {
  name: string;
  conversationId: string | null;
}

const PREFIX = "outbox:";
const NEW = "new";
const NONE: readonly UnsentMessage[] = [];

const boxes = new Map<string, readonly UnsentMessage[]>();
const unsaved = new Set<string>();
const { subscribe, notify } = createNotifier();

/** Name a user's box for a conversation, or for a new one. It includes the user because several may share a browser. */
export function boxOf(userId: string, workspaceId: string, conversationId: string | null): string {
  return `${userId}/${workspaceId}/${conversationId ?? NEW}`;
}

/** All non-empty boxes of a user, optionally of one workspace. */
export function boxesOf(userId: string, workspaceId?: string): Box[] {
  const prefix = workspaceId === undefined ? `${userId}/` : `${userId}/${workspaceId}/`;
  return [...new Set([...boxes.keys(), ...storedBoxes()])]
    .filter((box) => box.startsWith(prefix) && unsentIn(box).length > 0)
    .sort()
    .map((box) => ({ name: box, conversationId: conversationOf(box) }));
}

function conversationOf(box: string): string | null {
  const id = box.slice(box.lastIndexOf("/") + 1);
  return id === NEW ? null : id;
}

/** The number of unsent messages in all of a user's boxes, optionally of one workspace. */
export function countUnsent(userId: string, workspaceId?: string): number {
  return boxesOf(userId, workspaceId).reduce((sum, { name }) => sum + unsentIn(name).length, 0);
}

export function unsentIn(box: string): readonly UnsentMessage[] {
  const current = boxes.get(box);
  if (current !== undefined) return current;
  const read = readStored<readonly UnsentMessage[]>(PREFIX + box, NONE);
  boxes.set(box, read);
  return read;
}

export function addUnsent(box: string, content: string, author = "", temporary = false): UnsentMessage {
  const at = new Date().toISOString();
  const message: UnsentMessage = {
    externalId: randomId(),
    content,
    name: author,
    at,
    delay: "",
    notBefore: 0,
    refused: "",
    temporary,
  };
  restoreUnsent(box, message);
  return message;
}

export function restoreUnsent(box: string, message: UnsentMessage): void {
  setBox(box, [...latestIn(box), message]);
}

export function updateUnsent(box: string, externalId: string, changes: Partial<UnsentMessage>): void {
  const changed = (one: UnsentMessage) => (one.externalId === externalId ? { ...one, ...changes } : one);
  setBox(box, latestIn(box).map(changed));
}

export function removeUnsent(box: string, externalId: string): void {
  setBox(
    box,
    latestIn(box).filter((one) => one.externalId !== externalId),
  );
}

/** Move messages into the conversation that was created for them. Moving twice, from two windows, has no effect. */
export function moveUnsent(from: string, to: string): void {
  const current = latestIn(to);
  const existing = new Set(current.map((one) => one.externalId));
  setBox(to, [...current, ...latestIn(from).filter((one) => !existing.has(one.externalId))]);
  setBox(from, NONE);
}

/** Retry messages immediately that were delayed for one of these reasons. */
export function retryUnsentNow(box: string, delays: readonly Delay[]): void {
  if (!unsentIn(box).some((one) => one.notBefore > 0 && delays.includes(one.delay))) return;
  const reset = (one: UnsentMessage) => (delays.includes(one.delay) ? { ...one, notBefore: 0 } : one);
  setBox(box, latestIn(box).map(reset));
}

export { subscribe as subscribeToOutbox };

/** Drop the cache, because another window wrote to the storage. */
export function reloadOutbox(): void {
  boxes.clear();
  notify();
}

/** Read the storage again, because another window may have written to it. Only memory has what could not be stored. */
function latestIn(box: string): readonly UnsentMessage[] {
  if (!unsaved.has(box)) boxes.delete(box);
  return unsentIn(box);
}

function setBox(box: string, messages: readonly UnsentMessage[]): void {
  boxes.set(box, messages);
  if (writeStored(PREFIX + box, messages.length === 0 ? null : messages)) unsaved.delete(box);
  else unsaved.add(box);
  notify();
}

/** The names of the boxes in the storage. */
function storedBoxes(): string[] {
  try {
    return Object.keys(localStorage).flatMap((key) => key.split(PREFIX)[1] ?? []);
  } catch {
    return [];
  }
}

window.addEventListener("storage", ({ key }) => {
  if (key === null || key.includes(PREFIX)) reloadOutbox();
});
