/** What a message holds beside its text, word for word: what the model thought, called, and got. */

import type { MessageInPack } from "@/api/context";
import { texts } from "@/texts";
import classes from "./pack.module.css";

type Part = MessageInPack["parts"][number];

export function SaidParts({ parts }: { parts: readonly Part[] }) {
  return parts.map((part, place) => (
    <div key={place}>
      {part.kind !== "text" && <p className={classes.quiet}>{named(part)}</p>}
      <p className={classes.verbatim}>{part.text}</p>
    </div>
  ));
}

/** All of it in one run of words, where there is no room for more. */
export function textOf({ content, parts }: Pick<MessageInPack, "content" | "parts">): string {
  if (content !== "") return content;
  return parts
    .map((part) =>
      part.kind === "text" ? part.text : `${named(part)}: ${part.summary || (part.text ?? "")}`,
    )
    .join(" ");
}

function named({ kind, name = "", tokens = 0 }: Part): string {
  const { chat } = texts;
  if (kind === "reasoning") return chat.reasoning(tokens);
  return kind === "tool_call" ? chat.toolCall(name) : chat.toolResult(name);
}
