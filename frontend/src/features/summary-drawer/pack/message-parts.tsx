/** The parts of a message other than text, verbatim: reasoning, tool calls and tool results. */

import type { MessageInPack } from "@/api/context";
import { partLabel } from "@/lib/part-label";
import classes from "./pack.module.css";

type Part = MessageInPack["parts"][number];

export function MessageParts({ parts }: { parts: readonly Part[] }) {
  return parts.map((part, index) => (
    <div key={index}>
      {part.kind !== "text" && <p className={classes.quiet}>{partLabel(part)}</p>}
      <p className={classes.verbatim}>{part.text}</p>
    </div>
  ));
}

/** All parts as one text, for compact views. */
export function textOf({ content, parts }: Pick<MessageInPack, "content" | "parts">): string {
  if (content !== "") return content;
  return parts
    .map((part) =>
      part.kind === "text" ? part.text : `${partLabel(part)}: ${part.summary || (part.text ?? "")}`,
    )
    .join(" ");
}
