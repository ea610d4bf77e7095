/** One message: number, status line, author, time, body and actions. */

import clsx from "clsx";
import { Pin as PinIcon } from "lucide-react";
import { lazy, memo, Suspense, useState } from "react";
import type { ExclusionPreview } from "@/api/exclusions";
import type { Message } from "@/api/messages";
import { ErrorBoundary } from "@/components/feedback/error-boundary";
import { moment } from "@/lib/format";
import { texts } from "@/texts";
import type { Branches } from "../thread/use-branches";
import { DeleteConfirm } from "./delete-confirm";
import { ExclusionConfirm } from "./exclusion-question";
import classes from "./message.module.css";
import { isEmptyMessage, MessageBody, PlainText } from "./message-body";
import { MessageEditor } from "./message-editor";
import { ReplyError } from "./reply-error";
import { MessageTools } from "./message-tools";

const BelowMessage = lazy(() =>
  import("./below-message").then((module) => ({ default: module.BelowMessage })),
);

export interface MessageProps {
  message: Message;
  author: string;
  total: number;
  branches: Branches | undefined;
  isPinned: boolean;
  /** The message in the tab order; arrow keys move to the others. */
  isCurrent: boolean;
  isHighlighted: boolean;
  isEdited: boolean;
  isNewest: boolean;
  /** The connection was lost before the reply ended. */
  isBroken: boolean;
  /** The summary lines that an exclusion would remove, while the user decides. */
  exclusionPreview: ExclusionPreview | null;
}

export const MessageView = memo(function MessageView(props: MessageProps) {
  const { message, author, isPinned, isEdited } = props;
  const isOwn = message.role === "user";
  const isStreaming = message.status === "streaming";
  const [isDeleting, setDeleting] = useState(false);
  return (
    <article
      className={clsx(classes.message, props.isHighlighted && classes.framed)}
      data-message-index={message.index}
      data-state={message.state}
      data-role={message.role}
      aria-label={texts.chat.messageName(message.index, author)}
      data-newest={props.isNewest}
      aria-posinset={message.index + 1}
      aria-setsize={props.total}
      aria-busy={isStreaming}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Messages are walked through and acted on by keys.
      tabIndex={props.isCurrent ? 0 : -1}
    >
      <span className={classes.number}>{texts.chat.number(message.index)}</span>
      <span className={classes.line} data-tour={props.isNewest ? "line" : undefined}>
        {isPinned && <PinIcon className={classes.pin} size={14} strokeWidth={2} aria-hidden="true" />}
      </span>
      <div className={classes.content}>
        <MessageMeta {...props} />
        {isEdited ? (
          <MessageEditor message={message} />
        ) : (
          <div className={isOwn ? classes.bubble : classes.plain}>
            <ErrorBoundary resetKey={message.content} fallback={() => <PlainText text={message.content} />}>
              <MessageBody message={message} />
            </ErrorBoundary>
          </div>
        )}
        <ReplyError {...props} />
        {props.exclusionPreview !== null && (
          <ExclusionConfirm message={message} preview={props.exclusionPreview} />
        )}
        {isDeleting && <DeleteConfirm message={message} onEnd={() => setDeleting(false)} />}
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <BelowMessage message={message} branches={props.branches} isCurrent={props.isCurrent} />
          </Suspense>
        </ErrorBoundary>
        {!isStreaming && !isEdited && (
          <MessageTools
            message={message}
            isPinned={isPinned}
            isCurrent={props.isCurrent}
            onDelete={() => setDeleting(true)}
          />
        )}
      </div>
    </article>
  );
});

function MessageMeta({ message, author, isPinned, isBroken }: MessageProps) {
  const { states, number } = texts.chat;
  const labels = [
    ...(message.state === "live" ? [] : [states[message.state]]),
    ...(isPinned ? [states.pinned] : []),
    ...(message.status === "streaming" && !isBroken ? [states.streaming] : []),
  ];
  return (
    <header className={classes.meta}>
      <strong>{author}</strong>
      <span className={classes.numberInline}>{number(message.index)}</span>
      <time dateTime={message.created_at}>{moment(message.created_at)}</time>
      {labels.length > 0 && <span className={classes.words}>{labels.join(", ")}</span>}
      {message.status !== "streaming" && !isEmptyMessage(message) && <Tokens message={message} />}
    </header>
  );
}

/** Tokens reported by the provider for the reply, otherwise the message's own count. */
function Tokens({ message: { usage, token_count: counted } }: { message: Message }) {
  const [count, source] =
    usage === null ? [counted, "estimated" as const] : [usage.output_tokens, usage.source];
  return (
    <span className={classes.tokens} title={texts.drawer.source[source]}>
      {texts.chat.tokensFrom(count, source)}
    </span>
  );
}
