/** Deeds that are being done, by the name of what they are done to: one at a time, however often somebody presses. */

import { useSyncExternalStore } from "react";

const underWay = new Set<string>();
const watchers = new Set<() => void>();

/** Does it, unless something is being done there already. */
export async function once(name: string, deed: () => Promise<void>): Promise<void> {
  if (underWay.has(name)) return;
  underWay.add(name);
  tell();
  try {
    await deed();
  } finally {
    underWay.delete(name);
    tell();
  }
}

export function useIsUnderWay(name: string): boolean {
  return useSyncExternalStore(watch, () => underWay.has(name));
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function tell(): void {
  for (const watcher of watchers) watcher();
}
