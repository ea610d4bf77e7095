/** One message: its number, its line, who said it and when, what was said, and what can be done with it. */

import clsx from "clsx";
import { Pin as PinIcon } from "lucide-react";
import { memo } from "react";
import type { ExclusionPreview } from "@/api/exclusions";
import type { Message } from "@/api/messages";
import { Boundary } from "@/components/feedback/error-boundary";
import { moment } from "@/lib/format";
import { texts } from "@/texts";
import { ExclusionQuestion } from "./exclusion-question";
import classes from "./message.module.css";
import { isNothing, MessageBody, Raw } from "./message-body";
import { MessageEditor } from "./message-editor";
import { MessageEnding } from "./reply-error";
import { MessageTools } from "./message-tools";

export interface MessageProps {
  message: Message;
  author: string;
  total: number;
  isPinned: boolean;
  /** The one that Tab reaches; the arrow keys lead to the others. */
  isCurrent: boolean;
  isFramed: boolean;
  isEdited: boolean;
  isNewest: boolean;
  /** The connection ended before the reply did. */
  isBroken: boolean;
  /** What would go with it, while somebody decides. */
  asked: ExclusionPreview | null;
}

export const MessageView = memo(function MessageView(props: MessageProps) {
  const { message, author, isPinned, isEdited } = props;
  const isOwn = message.role === "user";
  const grows = message.status === "streaming";
  return (
    <article
      className={clsx(classes.message, props.isFramed && classes.framed)}
      data-message-index={message.index}
      data-state={message.state}
      data-role={message.role}
      aria-label={texts.chat.messageName(message.index, author)}
      data-newest={props.isNewest}
      aria-posinset={message.index + 1}
      aria-setsize={props.total}
      aria-busy={grows}
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
            <Boundary at={message.content} fallback={() => <Raw text={message.content} />}>
              <MessageBody message={message} />
            </Boundary>
          </div>
        )}
        <MessageEnding {...props} />
        {props.asked !== null && <ExclusionQuestion message={message} preview={props.asked} />}
        {!grows && !isEdited && (
          <MessageTools message={message} isPinned={isPinned} isCurrent={props.isCurrent} />
        )}
      </div>
    </article>
  );
});

function MessageMeta({ message, author, isPinned, isBroken }: MessageProps) {
  const { states, number } = texts.chat;
  const words = [
    ...(message.state === "live" ? [] : [states[message.state]]),
    ...(isPinned ? [states.pinned] : []),
    ...(message.status === "streaming" && !isBroken ? [states.streaming] : []),
  ];
  return (
    <header className={classes.meta}>
      <strong>{author}</strong>
      <span className={classes.numberInline}>{number(message.index)}</span>
      <time dateTime={message.created_at}>{moment(message.created_at)}</time>
      {words.length > 0 && <span className={classes.words}>{words.join(", ")}</span>}
      {message.status !== "streaming" && !isNothing(message) && <Tokens message={message} />}
    </header>
  );
}

/** What the provider reported for the reply, else what the message counts. */
function Tokens({ message: { usage, token_count: counted } }: { message: Message }) {
  const [many, source] = usage === null ? [counted, "counted" as const] : [usage.output_tokens, usage.source];
  return (
    <span className={classes.tokens} title={texts.drawer.source[source]}>
      {texts.chat.tokensFrom(many, source)}
    </span>
  );
}
