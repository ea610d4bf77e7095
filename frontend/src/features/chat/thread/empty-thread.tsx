/** The thread of a conversation without messages. */

import { texts } from "@/texts";
import classes from "./empty-thread.module.css";

export function EmptyThread() {
  return (
    <section className={classes.empty} aria-label={texts.chat.thread}>
      <h2>{texts.chat.emptyTitle}</h2>
      <p>{texts.chat.emptyDetail}</p>
    </section>
  );
}
