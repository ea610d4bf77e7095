/** All that the thread's buttons and keys do, in one object that stays the same while the conversation does. */

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useMemo, useRef } from "react";
import type { Compaction } from "@/api/compactions";
import type { Conversation } from "@/api/conversations";
import type { Message } from "@/api/messages";
import { isProblem } from "@/api/problems";
import { retriedTurn, stopTurn } from "@/api/turns";
import { toast, toastProblem } from "@/components/feedback/toast";
import { putBack, take, waitingIn } from "@/lib/outbox";
import { texts } from "@/texts";
import type { MessageActions } from "./actions";
import type { ComposerHandle } from "./composer/composer";
import type { May } from "./permissions";
import { refreshed } from "./sending/send-message";
import { followTurn, isUnderWay, turnIn } from "./sending/reply-streams";
import { type Forking, useForking } from "./sending/use-fork";
import { once } from "./in-flight";
import { type Asked, useExcluding } from "./use-exclude";
import { copyMessage, usePinning, useStopping, useUndoing } from "./use-message-actions";

interface Options {
  conversation: Conversation;
  box: string;
  may: May;
  composer: RefObject<ComposerHandle | null>;
  setEditing: (index: number | null) => void;
  ask: (asked: Asked | null) => void;
  onCompare: ((runId: string) => void) | undefined;
}

export function useActionsOf({ conversation, box, may, composer, setEditing, ask, onCompare }: Options) {
  const { id } = conversation;
  const client = useQueryClient();
  const forking = useForking(conversation);
  const pin = usePinning(id);
  const excluding = useExcluding(id, ask);
  const undo = useUndoing(id);
  const stopCompaction = useStopping(id);
  const compare = useLatest(onCompare);
  const canCompare = onCompare !== undefined;
  const { change, fork, archive } = may;
  return useMemo(
    (): MessageActions => ({
      may: { change, fork, archive },
      pin: onMessage(pin),
      exclude: onMessage(excluding.exclude),
      confirmExclude: (message, preview) => told(message.id, () => excluding.confirm(message, preview)),
      cancelExclude: () => ask(null),
      copy: onMessage(copyMessage),
      fork: onMessage(forking.fork),
      regenerate: onMessage(forking.regenerate),
      undoCompaction: (run: Compaction) => told(run.id, () => undo(run)),
      stopCompaction: (runId) => told(runId, () => stopCompaction(runId)),
      retry: () => told(`retry ${id}`, () => retry(client, id)),
      compare: canCompare ? (run) => compare.current?.(run.id) : undefined,
      discard: (externalId) => discard(box, externalId),
      takeBack: (externalId) => takeBack(box, externalId, composer.current),
      ...editing(forking, setEditing, composer),
    }),
    [
      client,
      id,
      box,
      change,
      fork,
      archive,
      composer,
      setEditing,
      ask,
      compare,
      canCompare,
      pin,
      excluding,
      undo,
      stopCompaction,
      forking,
    ],
  );
}

function editing(
  { resend }: Forking,
  setEditing: Options["setEditing"],
  composer: Options["composer"],
): Pick<MessageActions, "edit" | "cancelEdit" | "sendEdit"> {
  return {
    edit: ({ index }) => setEditing(index),
    cancelEdit: () => {
      setEditing(null);
      composer.current?.focus();
    },
    sendEdit: (message, content, onSent) =>
      told(message.id, async () => {
        await resend(message, content);
        onSent();
      }),
  };
}

/** The page makes it anew each time; messages need not be drawn anew for that. */
function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  }, [value]);
  return latest;
}

function onMessage(deed: (message: Message) => Promise<void>) {
  return (message: Message) => told(message.id, () => deed(message));
}

/** The deed, once at a time, and what went wrong with it. */
function told(name: string, deed: () => Promise<void>): void {
  once(name, deed).catch(toastProblem);
}

async function retry(client: QueryClient, id: string): Promise<void> {
  if (isUnderWay(turnIn(id))) return;
  await followTurn(
    id,
    (signal) => retriedTurn(id, signal),
    () => void refreshed(client, id),
  );
  await refreshed(client, id);
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
