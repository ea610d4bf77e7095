/** Drafts of the drawer by key. They survive closing the drawer and reloading the page. */

import { createNotifier } from "@/lib/notifier";
import { writeStored, readStored } from "@/lib/local-storage";

const cache = new Map<string, unknown>();
const { subscribe, notify } = createNotifier();

export function readDraft(key: string): unknown {
  if (!cache.has(key)) cache.set(key, readStored<unknown>(storageKey(key), null));
  return cache.get(key);
}

/** A draft that is not persisted lasts until the page is closed. */
export function writeDraft(key: string, value: unknown, isPersisted: boolean): void {
  cache.set(key, value);
  writeStored(storageKey(key), isPersisted ? value : null);
  notify();
}

export { subscribe as subscribeToDrafts };

/** Read from the browser's storage again. */
export function clearDraftCache(): void {
  cache.clear();
}

function storageKey(key: string): string {
  return `writing:${key}`;
}
