/** What was said: text as Markdown; what the model thought, called and got, folded. */

import { useState } from "react";
import type { Schemas } from "@/api/client";
import type { Message } from "@/api/messages";
import { CodeBlock } from "@/components/markdown/code-block";
import { Markdown } from "@/components/markdown/markdown";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import classes from "./message-body.module.css";

type Part = Schemas["Part"];

/** What people paste may be long; a reply is meant to be read. */
const PASTED = 4_000;
const SHOWN_AT_ONCE = 40_000;
/** Reading Markdown takes time that grows with its length. */
const READ_AS_MARKDOWN = 60_000;

export function isNothing({ content, parts }: Message): boolean {
  return content === "" && parts.length === 0;
}

export function MessageBody({ message }: { message: Message }) {
  const folded = message.parts.filter((part) => part.kind !== "text");
  const text = message.content === "" ? written(message.parts) : message.content;
  const most = message.role === "user" ? PASTED : SHOWN_AT_ONCE;
  if (text === "" && folded.length === 0) return <Nothing message={message} />;
  return (
    <div className={classes.body} data-role={message.role}>
      {folded.map((part, place) => (
        <Folded key={place} part={part} />
      ))}
      {text !== "" && <Text text={text} most={most} growing={message.status === "streaming"} />}
    </div>
  );
}

function written(parts: readonly Part[]): string {
  return parts
    .filter((part) => part.kind === "text")
    .map((part) => part.text ?? "")
    .join("\n\n");
}

function Nothing({ message }: { message: Message }) {
  if (message.status === "streaming") return <span className={classes.caret} aria-hidden="true" />;
  return message.status === "complete" ? <p className={classes.erased}>{texts.chat.erased}</p> : null;
}

function Text({ text, most, growing }: { text: string; most: number; growing: boolean }) {
  const [whole, setWhole] = useState(false);
  const isLong = !growing && text.length > 2 * most;
  const beginning = isLong ? beginningOf(text, most) : text;
  const shown = whole ? text : beginning;
  return (
    <>
      {shown.length > READ_AS_MARKDOWN ? <Raw text={shown} /> : <Markdown text={shown} growing={growing} />}
      {isLong && (
        <TextButton aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? texts.chat.showLess : texts.chat.showRest(text.length - beginning.length)}
        </TextButton>
      )}
    </>
  );
}

/** As it was written. */
export function Raw({ text }: { text: string }) {
  return <p className={classes.raw}>{text}</p>;
}

/** Whole lines, if there are any. */
function beginningOf(text: string, most: number): string {
  const end = text.lastIndexOf("\n", most);
  return text.slice(0, end > most / 2 ? end : most);
}

function Folded({ part }: { part: Part }) {
  const { text = "", summary = "" } = part;
  return (
    <details className={classes.folded}>
      <summary>
        {named(part)}
        {summary !== "" && <span>{summary}</span>}
      </summary>
      {part.kind === "reasoning" ? (
        <Raw text={text === "" ? texts.chat.hiddenReasoning : text} />
      ) : (
        <CodeBlock code={text.slice(0, SHOWN_AT_ONCE)} language={part.kind === "tool_call" ? "json" : ""} />
      )}
    </details>
  );
}

function named({ kind, name = "", tokens = 0 }: Part): string {
  if (kind === "reasoning") return texts.chat.reasoning(tokens);
  return kind === "tool_call" ? texts.chat.toolCall(name) : texts.chat.toolResult(name);
}
