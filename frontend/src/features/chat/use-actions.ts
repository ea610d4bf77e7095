/** All that the thread's buttons and keys do, in one object that stays the same while the conversation does. */

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useMemo, useRef } from "react";
import type { Conversation } from "@/api/conversations";
import { isProblem } from "@/api/problems";
import { retriedTurn, stopTurn } from "@/api/turns";
import { toast, toastProblem } from "@/components/toast";
import { putBack, take, waitingIn } from "@/lib/outbox";
import { texts } from "@/texts";
import type { MessageActions } from "./actions";
import type { ComposerHandle } from "./composer/composer";
import { refreshed } from "./sending/sender";
import { followTurn } from "./sending/turns-store";
import { useForking } from "./sending/use-forking";
import { copyMessage, useExcluding, usePinning, useStopping, useUndoing } from "./use-message-actions";

interface Options {
  conversation: Conversation;
  box: string;
  composer: RefObject<ComposerHandle | null>;
  setEditing: (index: number | null) => void;
  onCompare: ((runId: string) => void) | undefined;
}

export function useActionsOf({
  conversation,
  box,
  composer,
  setEditing,
  onCompare,
}: Options): MessageActions {
  const { id } = conversation;
  const client = useQueryClient();
  const forking = useForking(conversation);
  const pin = usePinning(id);
  const exclude = useExcluding(id);
  const undo = useUndoing(id);
  const stopCompaction = useStopping(id);
  const compare = useLatest(onCompare);
  const canCompare = onCompare !== undefined;
  return useMemo(() => {
    const stopEditing = () => {
      setEditing(null);
      composer.current?.focus();
    };
    return {
      pin: told(pin),
      exclude: told(exclude),
      copy: told(copyMessage),
      fork: told(forking.fork),
      regenerate: told(forking.regenerate),
      undoCompaction: told(undo),
      stopCompaction: told(stopCompaction),
      edit: ({ index }) => setEditing(index),
      cancelEdit: stopEditing,
      sendEdit: told(forking.resend),
      retry: () => retry(client, id),
      compare: canCompare ? (run) => compare.current?.(run.id) : undefined,
      discard: (externalId) => discard(box, externalId),
      takeBack: (externalId) => takeBack(box, externalId, composer.current),
    };
  }, [
    client,
    id,
    box,
    composer,
    setEditing,
    compare,
    canCompare,
    pin,
    exclude,
    undo,
    stopCompaction,
    forking,
  ]);
}

/** The page makes it anew each time; messages need not be drawn anew for that. */
function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  }, [value]);
  return latest;
}

/** The deed, and what went wrong with it. */
function told<Input extends unknown[]>(deed: (...input: Input) => Promise<void>) {
  return (...input: Input) => void deed(...input).catch(toastProblem);
}

function retry(client: QueryClient, id: string): void {
  followTurn(
    id,
    (signal) => retriedTurn(id, signal),
    () => void refreshed(client, id),
  )
    .then(() => refreshed(client, id))
    .catch(toastProblem);
}

export function stop(id: string): void {
  stopTurn(id).catch((error: unknown) => {
    if (!isProblem(error, "no_turn_running")) toastProblem(error);
  });
}

export function discard(box: string, externalId: string): void {
  const message = waitingIn(box).find((one) => one.externalId === externalId);
  if (message === undefined) return;
  take(box, externalId);
  toast(texts.chat.discarded, { action: { label: texts.common.undo, run: () => putBack(box, message) } });
}

export function takeBack(box: string, externalId: string, composer: ComposerHandle | null): void {
  const message = waitingIn(box).find((one) => one.externalId === externalId);
  if (message === undefined || composer === null) return;
  take(box, externalId);
  composer.take(message.content);
}
