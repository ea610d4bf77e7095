/** The place where a conversation begins: it is made when the first message is sent. */

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Me } from "@/api/session";
import { useShell } from "@/components/shell-context";
import { useConnection } from "@/events/live";
import { put } from "@/lib/outbox";
import { texts } from "@/texts";
import { ActionsContext, type MessageActions } from "./actions";
import { Banner } from "./banner";
import classes from "./chat.module.css";
import { Composer, type ComposerHandle } from "./composer/composer";
import { WRITING } from "./composer/use-writing-on";
import { WaitingMessage } from "./message/waiting-message";
import { beginConversation, newBox } from "./sending/beginning";
import { delay, useWaiting } from "./sending/use-outbox";
import { discard, takeBack } from "./use-actions";

const TRY_AGAIN_MS = 5000;
const nothing = () => undefined;

/** There are no messages yet, only those that wait. */
const NONE: MessageActions = {
  pin: nothing,
  exclude: nothing,
  copy: nothing,
  edit: nothing,
  cancelEdit: nothing,
  sendEdit: nothing,
  regenerate: nothing,
  fork: nothing,
  retry: nothing,
  undoCompaction: nothing,
  stopCompaction: nothing,
  compare: undefined,
  discard: nothing,
  takeBack: nothing,
};

export function NewChat({ welcome }: { welcome: ReactNode }) {
  const { me } = useShell();
  const box = newBox(me);
  const waiting = useWaiting(box);
  const tryNow = useBeginning(me, box, waiting.filter((one) => one.refused === "").length);
  const composer = useRef<ComposerHandle>(null);
  const actions: MessageActions = {
    ...NONE,
    discard: (externalId) => discard(box, externalId),
    takeBack: (externalId) => takeBack(box, externalId, composer.current),
  };
  return (
    <ActionsContext value={actions}>
      <Banner onTry={tryNow} />
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
        onStop={nothing}
      />
    </ActionsContext>
  );
}

/** Makes the conversation once something waits for it, and goes there. */
function useBeginning(me: Me, box: string, ready: number): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const connection = useConnection();
  const [tries, setTries] = useState(0);
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  useEffect(() => {
    if (ready === 0) return;
    if (connection === "away" || !navigator.onLine) delay(box);
    if (navigator.onLine) {
      void beginConversation(client, me).then((id) => {
        if (id !== null && isHere.current) void navigate(`/c/${id}`, { replace: true, state: WRITING });
      });
    }
    const timer = setTimeout(() => setTries((made) => made + 1), TRY_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [client, me, box, navigate, ready, connection, tries]);
  return () => setTries((made) => made + 1);
}
