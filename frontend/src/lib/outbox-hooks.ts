/** What waits in the outbox, for components. */

import { useSyncExternalStore } from "react";
import { countWaiting, type Waiting, waitingIn, watchOutbox } from "./outbox";

/** The messages of one box, as `boxOf` names it. */
export function useWaiting(box: string): readonly Waiting[] {
  return useSyncExternalStore(watchOutbox, () => waitingIn(box));
}

/** How many messages of somebody wait, in all of their workspaces or in one. */
export function useWaitingCount(userId: string, workspaceId?: string): number {
  return useSyncExternalStore(watchOutbox, () => countWaiting(userId, workspaceId));
}
