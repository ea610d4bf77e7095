/** The place where a conversation begins: it is made when the first message is sent. */

import { type ReactNode, useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { useShell } from "@/components/hooks/shell-context";
import { put } from "@/lib/outbox";
import { useWaiting } from "@/lib/outbox-hooks";
import { texts } from "@/texts";
import { ActionsContext, type MessageActions, NO_ACTIONS } from "./actions";
import { Banner } from "./banner";
import classes from "./chat.module.css";
import { Composer, type ComposerHandle } from "./composer/composer";
import { WRITING } from "./composer/use-focus-after-navigation";
import { WaitingMessage } from "./message/unsent-message";
import { newBox, watchBeginnings } from "./sending/create-conversation";
import { SpendingBanner } from "./spending-banner";
import { discard, takeBack } from "./use-actions";

export function NewChat({ welcome }: { welcome: ReactNode }) {
  const { me } = useShell();
  const box = newBox(me);
  const waiting = useWaiting(box);
  useGoingThere();
  const composer = useRef<ComposerHandle>(null);
  const actions: MessageActions = {
    ...NO_ACTIONS,
    discard: (externalId) => discard(box, externalId),
    takeBack: (externalId) => takeBack(box, externalId, composer.current),
  };
  return (
    <ActionsContext value={actions}>
      <Banner waiting={waiting} />
      <SpendingBanner />
      <div className={classes.welcome}>
        {waiting.length === 0 ? (
          welcome
        ) : (
          <section className={classes.waiting} aria-label={texts.chat.thread}>
            {waiting.map((message) => (
              <WaitingMessage
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
        place={box}
        placeholder={texts.chat.placeholderNew}
        isWriting={false}
        onSend={(content) => void put(box, content)}
        onStop={() => undefined}
      />
    </ActionsContext>
  );
}

/** Once the conversation is made, this is the place where it goes on; who has left already stays where they are. */
function useGoingThere(): void {
  const navigate = useNavigate();
  useEffect(
    () => watchBeginnings((id) => void navigate(`/c/${id}`, { replace: true, state: WRITING })),
    [navigate],
  );
}
