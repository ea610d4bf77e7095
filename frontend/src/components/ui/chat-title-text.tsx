/** A title cut to fit, except for the number that distinguishes a fork. */

import { titleParts } from "@/lib/fork-title";
import classes from "./chat-title-text.module.css";

export function ChatTitleText({ title }: { title: string }) {
  const [stem, number] = titleParts(title);
  return (
    <span className={classes.title}>
      <span className={classes.stem}>{stem}</span>{" "}
      {number !== "" && <span className={classes.number}>{number}</span>}
    </span>
  );
}
