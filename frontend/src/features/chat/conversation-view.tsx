/** An open conversation: messages, unsent messages and the composer. */

import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import type { Conversation } from "@/api/conversations";
import { ErrorBoundary } from "@/components/feedback/error-boundary";
import { useShell } from "@/components/hooks/shell-context";
import type { View } from "@/events/reducer";
import { boxOf, retryUnsentNow, addUnsent } from "@/lib/outbox";
import { useUnsent } from "@/lib/outbox-hooks";
import { texts } from "@/texts";
import { ActionsContext } from "./actions";
import { authorIn } from "./authors";
import { OfflineBanner } from "./banner";
import type { MessageTarget } from "./chat";
import classes from "./chat.module.css";
import { Archived, ReadOnly } from "./composer/composer-disabled";
import { Composer, type ComposerHandle } from "./composer/composer";
import { useFocusAfterNavigation } from "./composer/use-focus-after-navigation";
import { permissionsIn } from "./permissions";
import { newestOwnIndex } from "./last-own-message";
import { isReplying, type RunningTurn, useTurn } from "./sending/reply-streams";
import { useFollowReply } from "./sending/use-follow-reply";
import { SpendingBanner } from "./spending-banner";
import { EmptyThread } from "./thread/empty-thread";
import { Thread } from "./thread/thread";
import { stop, useCreateMessageActions } from "./use-actions";
import type { PendingExclusion } from "./use-exclude";

const AudienceLine = lazy(() => import("./composer/audience-line"));

interface Props {
  id: string;
  conversation: Conversation;
  view: View | null;
  target: MessageTarget | null;
  onCompare: ((runId: string) => void) | undefined;
}

export function ConversationView({ id, conversation, view, target, onCompare }: Props) {
  const { me } = useShell();
  const client = useQueryClient();
  const composer = useRef<ComposerHandle>(null);
  const [editing, setEditing] = useState<number | null>(null);
  const [pendingExclusion, setPendingExclusion] = useState<PendingExclusion | null>(null);
  const box = boxOf(me.user.id, me.workspace?.id ?? "", id);
  const may = permissionsIn(conversation, me);
  const turn = useTurn(id);
  const waiting = useUnsent(box);
  useFollowReply(id, box, view);
  const isWriting = isReplying(turn, view?.state.turn);
  const onStop = useCallback(() => stop(id), [id]);
  useStopKey(isWriting && may.change, onStop);
  useEffect(() => {
    if (!isWriting) retryUnsentNow(box, ["turn"]);
  }, [isWriting, box]);
  useFocusAfterNavigation(composer);
  const actions = useCreateMessageActions({
    conversation,
    box,
    may,
    composer,
    setEditing,
    setPendingExclusion,
    onCompare: me.features?.ui ? onCompare : undefined,
  });
  const count = countOf(conversation, view, turn);
  const authors = authorIn(conversation, view, me);
  const archived = view === null ? conversation.archived_at : view.state.conversation.archived_at;
  return (
    <ActionsContext value={actions}>
      <OfflineBanner waiting={waiting} />
      <SpendingBanner />
      <div className={classes.middle}>
        {count === 0 && waiting.length === 0 ? (
          <EmptyThread />
        ) : (
          <Thread
            {...{ id, view, count, turn, waiting, target, editing, pendingExclusion }}
            authorOf={authors.of}
            ownName={authors.own}
          />
        )}
      </div>
      {isShared(conversation, view) && (
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <AudienceLine conversation={currentOf(conversation, view)} isOwner={may.archive} />
          </Suspense>
        </ErrorBoundary>
      )}
      {archived !== null ? (
        <Archived conversation={conversation} may={may} />
      ) : !may.change ? (
        <ReadOnly conversation={conversation} count={count} may={may} />
      ) : (
        <Composer
          ref={composer}
          draftKey={box}
          placeholder={texts.chat.placeholder}
          isWriting={isWriting}
          onSend={(content) => void addUnsent(box, content, authors.signature)}
          onStop={onStop}
          onEditLast={() => setEditing(newestOwnIndex(client, id, count))}
        />
      )}
    </ActionsContext>
  );
}

/** Whether somebody else may read it, by the newest that is known. */
function isShared({ access }: Conversation, view: View | null): boolean {
  return access !== "owner" || (view?.state.conversation.share_count ?? 0) > 0;
}

/** With the version that the next change is made to. */
function currentOf(conversation: Conversation, view: View | null): Conversation {
  const edited = view?.state.conversation.edited ?? 0;
  return { ...conversation, version: Math.max(conversation.version, edited) };
}

/** The largest known count is right, because messages are never removed. */
function countOf(conversation: Conversation, view: View | null, turn: RunningTurn | null): number {
  const streamed = turn?.reply == null ? 0 : turn.reply.index + 1;
  return Math.max(conversation.message_count, view?.state.counts.message_count ?? 0, streamed);
}

/** Esc stops the reply, unless it closes a dialog or a menu. */
function useStopKey(isWriting: boolean, onStop: () => void): void {
  useEffect(() => {
    if (!isWriting) return;
    const onKey = (event: KeyboardEvent) => {
      const isHandled =
        event.defaultPrevented || document.querySelector('[role="dialog"], [role="menu"]') !== null;
      if (event.key === "Escape" && !isHandled) onStop();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isWriting, onStop]);
}
