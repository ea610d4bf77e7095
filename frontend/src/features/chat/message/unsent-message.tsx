/** A message that has not reached the server yet. */

import clsx from "clsx";
import { CircleX, Clock } from "lucide-react";
import { TextButton } from "@/components/ui/text-button";
import { moment } from "@/lib/format";
import type { UnsentMessage } from "@/lib/outbox";
import { texts } from "@/texts";
import { useMessageActions } from "../actions";
import { useIsInFlight } from "../in-flight";
import classes from "./message.module.css";
import { RetryCountdown } from "./retry-countdown";

interface Props {
  message: UnsentMessage;
  author: string;
  /** It waits for a reply that is being written. */
  afterReply: boolean;
}

export function UnsentMessageView({ message, author, afterReply }: Props) {
  const { discard, moveToComposer } = useMessageActions();
  const isSending = useIsInFlight(message.externalId);
  const status = isSending ? "sending" : statusOf(message, afterReply);
  const Icon = status === "refused" ? CircleX : Clock;
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
          <span className={classes.why} data-why={status}>
            <Icon size={14} strokeWidth={1.75} aria-hidden="true" /> {texts.chat.waiting[status]}
          </span>
          {status === "busy" && <RetryCountdown waiting={[message]} />}
        </header>
        <p className={clsx(classes.bubble, classes.waiting)}>{message.content}</p>
        {message.refused !== "" && (
          <p className={classes.refused} role="alert">
            {message.refused}
          </p>
        )}
        {status !== "sending" && (
          <div className={classes.ways}>
            <TextButton onClick={() => moveToComposer(message.externalId)}>{texts.chat.takeBack}</TextButton>
            <TextButton onClick={() => discard(message.externalId)}>{texts.chat.discard}</TextButton>
          </div>
        )}
      </div>
    </article>
  );
}

function statusOf(message: UnsentMessage, afterReply: boolean): keyof typeof texts.chat.waiting {
  if (message.refused !== "") return "refused";
  if (message.delay !== "") return message.delay;
  return afterReply ? "turn" : "sending";
}
