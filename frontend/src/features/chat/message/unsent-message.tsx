/** A message that is not with the server yet. */

import clsx from "clsx";
import { CircleX, Clock } from "lucide-react";
import { TextButton } from "@/components/ui/text-button";
import { moment } from "@/lib/format";
import type { Waiting } from "@/lib/outbox";
import { texts } from "@/texts";
import { useActions } from "../actions";
import { useIsUnderWay } from "../in-flight";
import classes from "./message.module.css";
import { NextTry } from "./retry-countdown";

interface Props {
  message: Waiting;
  author: string;
  /** A reply is being written, which it waits for. */
  afterReply: boolean;
}

export function WaitingMessage({ message, author, afterReply }: Props) {
  const { discard, takeBack } = useActions();
  const isSending = useIsUnderWay(message.externalId);
  const why = isSending ? "sending" : reason(message, afterReply);
  const Icon = why === "refused" ? CircleX : Clock;
  return (
    <article
      className={classes.message}
      data-state="waiting"
      data-role="user"
      aria-label={texts.chat.waitingMessage}
    >
      <span className={classes.number} aria-hidden="true">
        …
      </span>
      <span className={classes.line} />
      <div className={classes.content}>
        <header className={classes.meta}>
          <strong>{author}</strong>
          <time dateTime={message.at}>{moment(message.at)}</time>
          <span className={classes.why} data-why={why}>
            <Icon size={14} strokeWidth={1.75} aria-hidden="true" /> {texts.chat.waiting[why]}
          </span>
          {why === "busy" && <NextTry waiting={[message]} />}
        </header>
        <p className={clsx(classes.bubble, classes.waiting)}>{message.content}</p>
        {message.refused !== "" && (
          <p className={classes.refused} role="alert">
            {message.refused}
          </p>
        )}
        {why !== "sending" && (
          <div className={classes.ways}>
            <TextButton onClick={() => takeBack(message.externalId)}>{texts.chat.takeBack}</TextButton>
            <TextButton onClick={() => discard(message.externalId)}>{texts.chat.discard}</TextButton>
          </div>
        )}
      </div>
    </article>
  );
}

function reason(message: Waiting, afterReply: boolean): keyof typeof texts.chat.waiting {
  if (message.refused !== "") return "refused";
  if (message.delay !== "") return message.delay;
  return afterReply ? "turn" : "sending";
}
