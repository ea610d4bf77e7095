/** A new chat; the conversation is created when the first message is sent. */

import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { ErrorBoundary } from "@/components/feedback/error-boundary";
import { useShell } from "@/components/hooks/shell-context";
import { addUnsent } from "@/lib/outbox";
import { useUnsent } from "@/lib/outbox-hooks";
import { texts } from "@/texts";
import { ActionsContext, type MessageActions, NO_ACTIONS } from "./actions";
import { OfflineBanner } from "./banner";
import classes from "./chat.module.css";
import { Composer, type ComposerHandle } from "./composer/composer";
import { FOCUS_COMPOSER } from "./composer/use-focus-after-navigation";
import { UnsentMessageView } from "./message/unsent-message";
import { newBox, subscribeToCreated } from "./sending/create-conversation";
import { SpendingBanner } from "./spending-banner";
import { discard, moveToComposer } from "./use-actions";

const TemporaryChoice = lazy(() => import("./temporary-choice"));

/** What a new chat shows before its first message, which it may send. */
export type Welcome = (send: (content: string) => void) => ReactNode;

interface Props {
  welcome: Welcome;
  isTemporary: boolean;
  onTemporary: (isTemporary: boolean) => void;
}

export function NewChat({ welcome, isTemporary, onTemporary }: Props) {
  const { me } = useShell();
  const box = newBox(me);
  const waiting = useUnsent(box);
  useOpenCreated();
  const composer = useRef<ComposerHandle>(null);
  const send = (content: string) => void addUnsent(box, content, "", isTemporary);
  const actions: MessageActions = {
    ...NO_ACTIONS,
    discard: (externalId) => discard(box, externalId),
    moveToComposer: (externalId) => moveToComposer(box, externalId, composer.current),
  };
  return (
    <ActionsContext value={actions}>
      <OfflineBanner waiting={waiting} />
      <SpendingBanner />
      <div className={classes.welcome}>
        {waiting.length === 0 ? (
          welcome(send)
        ) : (
          <section className={classes.waiting} aria-label={texts.chat.thread}>
            {waiting.map((message) => (
              <UnsentMessageView
                key={message.externalId}
                message={message}
                author={me.user.name}
                afterReply={false}
              />
            ))}
          </section>
        )}
      </div>
      {waiting.length === 0 && (
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <TemporaryChoice isTemporary={isTemporary} onChange={onTemporary} />
          </Suspense>
        </ErrorBoundary>
      )}
      <Composer
        ref={composer}
        key={box}
        draftKey={box}
        placeholder={texts.chat.placeholderNew}
        isWriting={false}
        onSend={send}
        onStop={() => undefined}
      />
    </ActionsContext>
  );
}

/** Open the created conversation, unless the user has navigated away. */
function useOpenCreated(): void {
  const navigate = useNavigate();
  useEffect(
    () => subscribeToCreated((id) => void navigate(`/c/${id}`, { replace: true, state: FOCUS_COMPOSER })),
    [navigate],
  );
}
