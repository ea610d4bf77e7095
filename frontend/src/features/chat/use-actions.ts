/** Create the actions of the thread as one object that is stable for the conversation. */

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useMemo, useRef } from "react";
import type { Compaction } from "@/api/compactions";
import type { Conversation } from "@/api/conversations";
import { type Message, useDeleteMessage } from "@/api/messages";
import { isProblem } from "@/api/problems";
import { retryTurn, stopTurn } from "@/api/turns";
import { toast, toastProblem } from "@/components/feedback/toast";
import { useCompactionUndo } from "@/components/hooks/compaction-undo";
import { restoreUnsent, removeUnsent, unsentIn } from "@/lib/outbox";
import { texts } from "@/texts";
import type { MessageActions } from "./actions";
import type { ComposerHandle } from "./composer/composer";
import type { Permissions } from "./permissions";
import { refetchAfterTurn } from "./sending/send-message";
import { followTurn, isUnderWay, turnIn } from "./sending/reply-streams";
import { type MessageForkActions, useMessageFork } from "./sending/use-fork";
import { singleFlight } from "./in-flight";
import { type PendingExclusion, useExclusion } from "./use-exclude";
import { copyMessage, useTogglePin, useStopCompactionAction } from "./use-message-actions";

interface Options {
  conversation: Conversation;
  box: string;
  may: Permissions;
  composer: RefObject<ComposerHandle | null>;
  setEditing: (index: number | null) => void;
  setPendingExclusion: (pending: PendingExclusion | null) => void;
  onCompare: ((runId: string) => void) | undefined;
}

export function useCreateMessageActions({
  conversation,
  box,
  may,
  composer,
  setEditing,
  setPendingExclusion,
  onCompare,
}: Options) {
  const { id } = conversation;
  const client = useQueryClient();
  const forking = useMessageFork(conversation);
  const pin = useTogglePin(id);
  const { mutateAsync: deleteMessage } = useDeleteMessage(id);
  const exclusion = useExclusion(id, setPendingExclusion);
  const { undo } = useCompactionUndo(id);
  const stopCompaction = useStopCompactionAction(id);
  const compare = useLatest(onCompare);
  const canCompare = onCompare !== undefined;
  const { change, fork, archive, delete: mayDelete, remember } = may;
  return useMemo(
    (): MessageActions => ({
      conversationId: id,
      may: { change, fork, archive, delete: mayDelete, remember },
      pin: actOnMessage(pin),
      exclude: actOnMessage(exclusion.exclude),
      confirmExclude: (message, preview) =>
        runReportingErrors(message.id, () => exclusion.confirm(message, preview)),
      cancelExclude: () => setPendingExclusion(null),
      copy: actOnMessage(copyMessage),
      delete: (message, onEnd) =>
        runReportingErrors(message.id, () => deleteMessage(message.id).finally(onEnd)),
      fork: actOnMessage(forking.fork),
      regenerate: actOnMessage(forking.regenerate),
      undoCompaction: (run: Compaction) => runReportingErrors(run.id, () => undo(run)),
      stopCompaction: (runId) => runReportingErrors(runId, () => stopCompaction(runId)),
      retry: () => runReportingErrors(`retry ${id}`, () => retry(client, id)),
      compare: canCompare ? (run) => compare.current?.(run.id) : undefined,
      discard: (externalId) => discard(box, externalId),
      moveToComposer: (externalId) => moveToComposer(box, externalId, composer.current),
      ...editActions(forking, setEditing, composer),
    }),
    [
      client,
      id,
      box,
      change,
      fork,
      archive,
      mayDelete,
      remember,
      composer,
      setEditing,
      setPendingExclusion,
      compare,
      canCompare,
      pin,
      deleteMessage,
      exclusion,
      undo,
      stopCompaction,
      forking,
    ],
  );
}

function editActions(
  { resend }: MessageForkActions,
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
      runReportingErrors(message.id, async () => {
        await resend(message, content);
        onSent();
      }),
  };
}

/** A ref to the latest callback, so that memoized messages do not rerender. */
function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  }, [value]);
  return latest;
}

function actOnMessage(action: (message: Message) => Promise<void>) {
  return (message: Message) => runReportingErrors(message.id, () => action(message));
}

/** Run an action once at a time and show its error. */
function runReportingErrors(name: string, action: () => Promise<void>): void {
  singleFlight(name, action).catch(toastProblem);
}

async function retry(client: QueryClient, id: string): Promise<void> {
  if (isUnderWay(turnIn(id))) return;
  await followTurn(
    id,
    (signal) => retryTurn(id, signal),
    () => refetchAfterTurn(client, id),
  );
  refetchAfterTurn(client, id);
}

export function stop(id: string): void {
  stopTurn(id).catch((error: unknown) => {
    if (!isProblem(error, "no_turn_running")) toastProblem(error);
  });
}

export function discard(box: string, externalId: string): void {
  const message = unsentIn(box).find((one) => one.externalId === externalId);
  if (message === undefined) return;
  removeUnsent(box, externalId);
  toast(texts.chat.discarded, {
    action: { label: texts.common.undo, run: () => restoreUnsent(box, message) },
  });
}

export function moveToComposer(box: string, externalId: string, composer: ComposerHandle | null): void {
  const message = unsentIn(box).find((one) => one.externalId === externalId);
  if (message === undefined || composer === null) return;
  removeUnsent(box, externalId);
  composer.insert(message.content);
}
