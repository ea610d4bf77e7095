/** The messages of a conversation that wait, and the attempts to send them. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { useConnection } from "@/events/live";
import type { View } from "@/events/reducer";
import { change, type Waiting, waitingIn, watchOutbox } from "@/lib/outbox";
import { sendWaiting } from "./sender";
import { isReplying, useTurn } from "./turns-store";

const TRY_AGAIN_MS = 5000;

export function useWaiting(box: string): readonly Waiting[] {
  return useSyncExternalStore(watchOutbox, () => waitingIn(box));
}

export interface Outbox {
  waiting: readonly Waiting[];
  tryNow: () => void;
}

export function useOutbox(id: string, box: string, view: View | null): Outbox {
  const client = useQueryClient();
  const waiting = useWaiting(box);
  const connection = useConnection();
  const isBusy = isReplying(useTurn(id), connection === "open" ? view?.state.turn : null);
  const [tries, setTries] = useState(0);
  const tryNow = useCallback(() => setTries((made) => made + 1), []);
  const ready = waiting.filter((one) => one.refused === "").length;
  useEffect(() => {
    if (ready > 0 && (connection === "away" || !navigator.onLine)) delay(box);
    if (ready === 0 || isBusy) return;
    if (navigator.onLine) void sendWaiting({ client, id, box });
    const timer = setTimeout(tryNow, TRY_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [client, id, box, ready, isBusy, connection, tries, tryNow]);
  return { waiting, tryNow };
}

/** There is no connection to send it by. */
export function delay(box: string): void {
  for (const { externalId, delayed } of waitingIn(box))
    if (!delayed) change(box, externalId, { delayed: true });
}
