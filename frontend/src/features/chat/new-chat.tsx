/** A new chat; the conversation is created when the first message is sent. */

import { type ReactNode, useEffect, useRef } from "react";
import { useNavigate } from "react-router";
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

export function NewChat({ welcome }: { welcome: ReactNode }) {
  const { me } = useShell();
  const box = newBox(me);
  const waiting = useUnsent(box);
  useOpenCreated();
  const composer = useRef<ComposerHandle>(null);
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
          welcome
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
      <Composer
        ref={composer}
        key={box}
        draftKey={box}
        placeholder={texts.chat.placeholderNew}
        isWriting={false}
        onSend={(content) => void addUnsent(box, content)}
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
