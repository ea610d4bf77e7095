/** A link to the message that a line came from, with its role and index. */

import { texts } from "@/texts";
import { messageNumber } from "@/texts/message-number";
import classes from "./source-mark.module.css";

export type SourceRole = "user" | "assistant" | "tool" | "system";

const SIGNS: Record<SourceRole, string> = { user: "●", assistant: "○", tool: "◇", system: "◇" };

interface Props {
  role: SourceRole;
  index: number;
  /** The author's name, in conversations with several people. */
  name?: string;
  onShow: (index: number) => void;
}

export function SourceMark({ role, index, name, onShow }: Props) {
  return (
    <button
      type="button"
      className={classes.mark}
      data-tour="source"
      aria-label={texts.drawer.sourceName(index, name ?? texts.drawer.roles[role])}
      onClick={() => onShow(index)}
    >
      <span aria-hidden="true">{SIGNS[role]}</span>
      {messageNumber(index)}
    </button>
  );
}

/** The source message no longer exists. */
export function MissingSource() {
  return (
    <span className={classes.missing} title={texts.drawer.sourceGone}>
      {texts.drawer.sourceGoneShort}
    </span>
  );
}
