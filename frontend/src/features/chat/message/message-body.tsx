/** The body of a message: text as Markdown; reasoning and tool parts collapsed. */

import { useState } from "react";
import type { Schemas } from "@/api/client";
import type { Message } from "@/api/messages";
import { CodeBlock } from "@/components/markdown/code-block";
import { Markdown } from "@/components/markdown/markdown";
import { TextButton } from "@/components/ui/text-button";
import { partLabel } from "@/lib/part-label";
import { texts } from "@/texts";
import classes from "./message-body.module.css";

type Part = Schemas["Part"];

/** User messages may contain long pastes; replies are meant to be read. */
const USER_TEXT_LIMIT = 4_000;
const REPLY_TEXT_LIMIT = 40_000;
/** The parser's time grows with the length. */
const MARKDOWN_LIMIT = 60_000;

export function isEmptyMessage({ content, parts }: Message): boolean {
  return content === "" && parts.length === 0;
}

export function MessageBody({ message }: { message: Message }) {
  const collapsed = message.parts.filter((part) => part.kind !== "text");
  const text = message.content === "" ? textOf(message.parts) : message.content;
  const limit = message.role === "user" ? USER_TEXT_LIMIT : REPLY_TEXT_LIMIT;
  if (text === "" && collapsed.length === 0) return <EmptyBody message={message} />;
  return (
    <div className={classes.body} data-role={message.role}>
      {collapsed.map((part, index) => (
        <CollapsedPart key={index} part={part} />
      ))}
      {text !== "" && <Text text={text} limit={limit} isStreaming={message.status === "streaming"} />}
    </div>
  );
}

function textOf(parts: readonly Part[]): string {
  return parts
    .filter((part) => part.kind === "text")
    .map((part) => part.text ?? "")
    .join("\n\n");
}

function EmptyBody({ message }: { message: Message }) {
  if (message.status === "streaming") return <span className={classes.caret} aria-hidden="true" />;
  return message.state === "deleted" ? <p className={classes.deleted}>{texts.chat.deleted}</p> : null;
}

function Text({ text, limit, isStreaming }: { text: string; limit: number; isStreaming: boolean }) {
  const [isExpanded, setExpanded] = useState(false);
  const isLong = !isStreaming && text.length > 2 * limit;
  const excerpt = isLong ? excerptOf(text, limit) : text;
  const shown = isExpanded ? text : excerpt;
  return (
    <>
      {shown.length > MARKDOWN_LIMIT ? (
        <PlainText text={shown} />
      ) : (
        <Markdown text={shown} isStreaming={isStreaming} />
      )}
      {isLong && (
        <TextButton aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? texts.chat.showLess : texts.chat.showRest(text.length - excerpt.length)}
        </TextButton>
      )}
    </>
  );
}

/** Text without formatting. */
export function PlainText({ text }: { text: string }) {
  return <p className={classes.raw}>{text}</p>;
}

/** Cut at a line break if there is one in the second half. */
function excerptOf(text: string, limit: number): string {
  const end = text.lastIndexOf("\n", limit);
  return text.slice(0, end > limit / 2 ? end : limit);
}

function CollapsedPart({ part }: { part: Part }) {
  const { summary = "" } = part;
  return (
    <details className={classes.folded}>
      <summary>
        {partLabel(part)}
        {summary !== "" && <span>{summary}</span>}
      </summary>
      <PartContent part={part} />
    </details>
  );
}

function PartContent({ part }: { part: Part }) {
  const { text = "", url = "" } = part;
  if (part.kind === "reasoning") return <PlainText text={text === "" ? texts.chat.hiddenReasoning : text} />;
  // An address is not loaded: its server would learn who reads.
  if (part.kind === "image" && url.startsWith("data:image/")) return <img src={url} alt={partLabel(part)} />;
  if (text === "" && url !== "")
    return <PlainText text={url.startsWith("data:") ? texts.chat.sentAlong : url} />;
  return (
    <CodeBlock code={text.slice(0, REPLY_TEXT_LIMIT)} language={part.kind === "tool_call" ? "json" : ""} />
  );
}
