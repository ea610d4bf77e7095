/** A conversation as it goes: its messages, what waits to be said, and the place to say more. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Conversation } from "@/api/conversations";
import { useShell } from "@/components/hooks/shell-context";
import type { View } from "@/events/reducer";
import { boxOf, hasten, put } from "@/lib/outbox";
import { useWaiting } from "@/lib/outbox-hooks";
import { texts } from "@/texts";
import { ActionsContext } from "./actions";
import { authorIn } from "./authors";
import { Banner } from "./banner";
import type { Place } from "./chat";
import classes from "./chat.module.css";
import { Archived, ReadOnly } from "./composer/composer-disabled";
import { Composer, type ComposerHandle } from "./composer/composer";
import { useWritingOn } from "./composer/use-focus-after-navigation";
import { mayIn } from "./permissions";
import { newestOwn } from "./last-own-message";
import { isReplying, type RunningTurn, useTurn } from "./sending/reply-streams";
import { useFollower } from "./sending/use-follow-reply";
import { SpendingBanner } from "./spending-banner";
import { EmptyThread } from "./thread/empty-thread";
import { Thread } from "./thread/thread";
import { stop, useActionsOf } from "./use-actions";
import type { Asked } from "./use-exclude";

interface Props {
  id: string;
  conversation: Conversation;
  view: View | null;
  place: Place | null;
  onCompare: ((runId: string) => void) | undefined;
}

export function Conversing({ id, conversation, view, place, onCompare }: Props) {
  const { me } = useShell();
  const client = useQueryClient();
  const composer = useRef<ComposerHandle>(null);
  const [editing, setEditing] = useState<number | null>(null);
  const [asked, ask] = useState<Asked | null>(null);
  const box = boxOf(me.user.id, me.workspace?.id ?? "", id);
  const may = mayIn(conversation, me);
  const turn = useTurn(id);
  const waiting = useWaiting(box);
  useFollower(id, box, view);
  const isWriting = isReplying(turn, view?.state.turn);
  const onStop = useCallback(() => stop(id), [id]);
  useStopKey(isWriting && may.change, onStop);
  useEffect(() => {
    if (!isWriting) hasten(box, ["turn"]);
  }, [isWriting, box]);
  useWritingOn(composer);
  const actions = useActionsOf({
    conversation,
    box,
    may,
    composer,
    setEditing,
    ask,
    onCompare: me.features?.ui ? onCompare : undefined,
  });
  const count = countOf(conversation, view, turn);
  const authors = authorIn(conversation, view, me);
  const archived = view === null ? conversation.archived_at : view.state.conversation.archived_at;
  return (
    <ActionsContext value={actions}>
      <Banner waiting={waiting} />
      <SpendingBanner />
      <div className={classes.middle}>
        {count === 0 && waiting.length === 0 ? (
          <EmptyThread />
        ) : (
          <Thread
            {...{ id, view, count, turn, waiting, place, editing, asked }}
            authorOf={authors.of}
            ownName={authors.own}
          />
        )}
      </div>
      {archived !== null ? (
        <Archived conversation={conversation} may={may} />
      ) : !may.change ? (
        <ReadOnly conversation={conversation} count={count} may={may} />
      ) : (
        <Composer
          ref={composer}
          place={box}
          placeholder={texts.chat.placeholder}
          isWriting={isWriting}
          onSend={(content) => void put(box, content, authors.signature)}
          onStop={onStop}
          onEditLast={() => setEditing(newestOwn(client, id, count))}
        />
      )}
    </ActionsContext>
  );
}

/** Whoever knows of the newest message is right: messages are never taken away. */
function countOf(conversation: Conversation, view: View | null, turn: RunningTurn | null): number {
  const followed = turn?.reply == null ? 0 : turn.reply.index + 1;
  return Math.max(conversation.message_count, view?.state.counts.message_count ?? 0, followed);
}

/** Esc stops the reply, unless something else is open that Esc closes. */
function useStopKey(isWriting: boolean, onStop: () => void): void {
  useEffect(() => {
    if (!isWriting) return;
    const onKey = (event: KeyboardEvent) => {
      const isTaken =
        event.defaultPrevented || document.querySelector('[role="dialog"], [role="menu"]') !== null;
      if (event.key === "Escape" && !isTaken) onStop();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isWriting, onStop]);
}
