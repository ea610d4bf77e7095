/** Actions in flight by key, so that repeated clicks run an action once. */

import { useSyncExternalStore } from "react";
import { createNotifier } from "@/lib/notifier";

const inFlight = new Set<string>();
const { subscribe, notify } = createNotifier();

/** Run an action unless one with the same key is in flight. */
export async function singleFlight(key: string, action: () => Promise<void>): Promise<void> {
  if (inFlight.has(key)) return;
  inFlight.add(key);
  notify();
  try {
    await action();
  } finally {
    inFlight.delete(key);
    notify();
  }
}

export function useIsInFlight(key: string): boolean {
  return useSyncExternalStore(subscribe, () => inFlight.has(key));
}
