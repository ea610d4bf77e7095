/** Where a line comes from: who said it, and in which message; opens the message. */

import { texts } from "@/texts";
import classes from "./source-mark.module.css";

export type SourceRole = "user" | "assistant" | "tool" | "system";

const SIGNS: Record<SourceRole, string> = { user: "●", assistant: "○", tool: "◇", system: "◇" };

interface Props {
  role: SourceRole;
  index: number;
  /** Who said it, where that is known by name. */
  name?: string;
  onShow: (index: number) => void;
}

export function SourceMark({ role, index, name, onShow }: Props) {
  return (
    <button
      type="button"
      className={classes.mark}
      data-tour="source"
      aria-label={texts.drawer.sourceName(index, name ?? texts.drawer.saidBy[role])}
      onClick={() => onShow(index)}
    >
      <span aria-hidden="true">{SIGNS[role]}</span>
      {index}
    </button>
  );
}

/** What a line came from cannot be found any more. */
export function MissingSource() {
  return (
    <span className={classes.missing} title={texts.drawer.sourceGone}>
      {texts.drawer.sourceGoneShort}
    </span>
  );
}
