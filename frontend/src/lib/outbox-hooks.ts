/** React hooks for the outbox. */

import { useSyncExternalStore } from "react";
import { countUnsent, type UnsentMessage, unsentIn, subscribeToOutbox } from "./outbox";

/** The unsent messages of one box, named by `boxOf`. */
export function useUnsent(box: string): readonly UnsentMessage[] {
  return useSyncExternalStore(subscribeToOutbox, () => unsentIn(box));
}

/** The number of a user's unsent messages, in all of their workspaces or in one. */
export function useUnsentCount(userId: string, workspaceId?: string): number {
  return useSyncExternalStore(subscribeToOutbox, () => countUnsent(userId, workspaceId));
}
