/**
 * What was said and is not with the server yet, in the order in which it was said, kept by the browser. Each message has
 * a name of its own, by which the server knows it when it comes a second time.
 */

import { keep, kept } from "./storage";

export interface Waiting {
  externalId: string;
  content: string;
  /** Who says it, where several people talk; else "". */
  name: string;
  at: string;
  /** It met a connection that was away. */
  delayed: boolean;
  /** Why the server does not take it; "" while it may still go. */
  refused: string;
}

const NONE: readonly Waiting[] = [];

const boxes = new Map<string, readonly Waiting[]>();
const watchers = new Set<() => void>();

/** Somebody's messages for a conversation, or for one that is yet to be made: a browser may serve several people. */
export function boxOf(userId: string, conversationId: string | null, workspaceId = ""): string {
  return `${userId}/${conversationId ?? `new-${workspaceId}`}`;
}

export function waitingIn(box: string): readonly Waiting[] {
  const known = boxes.get(box);
  if (known !== undefined) return known;
  const read = kept<readonly Waiting[]>(name(box), NONE);
  boxes.set(box, read);
  return read;
}

export function put(box: string, content: string, author = ""): Waiting {
  const at = new Date().toISOString();
  const message = { externalId: newName(), content, name: author, at, delayed: false, refused: "" };
  putBack(box, message);
  return message;
}

export function putBack(box: string, message: Waiting): void {
  become(box, [...waitingIn(box), message]);
}

export function change(box: string, externalId: string, changes: Partial<Waiting>): void {
  const changed = (one: Waiting) => (one.externalId === externalId ? { ...one, ...changes } : one);
  become(box, waitingIn(box).map(changed));
}

export function take(box: string, externalId: string): void {
  become(
    box,
    waitingIn(box).filter((one) => one.externalId !== externalId),
  );
}

/** The conversation is made: what waited for it goes there. */
export function move(from: string, to: string): void {
  become(to, [...waitingIn(to), ...waitingIn(from)]);
  become(from, NONE);
}

export function watchOutbox(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Forget what was read, as when another window of this browser wrote. */
export function reread(): void {
  boxes.clear();
  tell();
}

/** `randomUUID` is missing where the page does not come over HTTPS. */
function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function become(box: string, messages: readonly Waiting[]): void {
  boxes.set(box, messages);
  keep(name(box), messages.length === 0 ? null : messages);
  tell();
}

function tell(): void {
  for (const watcher of watchers) watcher();
}

function name(box: string): string {
  return `outbox:${box}`;
}

window.addEventListener("storage", ({ key }) => {
  if (key === null || key.includes("outbox:")) reread();
});
