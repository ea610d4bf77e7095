/** The placeholder of a message that is loading. */

import { texts } from "@/texts";
import classes from "./skeleton.module.css";

export function Skeleton({ index }: { index: number }) {
  return (
    <div
      className={classes.skeleton}
      data-wide={index % 2 === 1}
      role="img"
      aria-label={texts.chat.loadingMessage(index)}
    >
      <span className={classes.number}>{texts.chat.number(index)}</span>
      <span />
      <span />
    </div>
  );
}
