/** Deeds that are being done, by the name of what they are done to: one at a time, however often somebody presses. */

import { useSyncExternalStore } from "react";
import { createNotifier } from "@/lib/notifier";

const underWay = new Set<string>();
const { watch, notify } = createNotifier();

/** Does it, unless something is being done there already. */
export async function once(name: string, deed: () => Promise<void>): Promise<void> {
  if (underWay.has(name)) return;
  underWay.add(name);
  notify();
  try {
    await deed();
  } finally {
    underWay.delete(name);
    notify();
  }
}

export function useIsUnderWay(name: string): boolean {
  return useSyncExternalStore(watch, () => underWay.has(name));
}
