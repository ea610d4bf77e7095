/** What a line says: its term or text, then its reason or note in a quieter voice. */

import { Fragment } from "react";
import { texts } from "@/texts";
import classes from "./summary.module.css";
import type { DrawerLine } from "./lines";

export function LineWords({ line }: { line: DrawerLine }) {
  const { field, text, reason, term, note, type } = line;
  if (field === "definitions")
    return (
      <>
        <strong>{term}</strong>: <WithCode text={text} />
      </>
    );
  if (field === "references")
    return (
      <>
        <code className={classes.code} title={texts.drawer.summary.form.types[type]}>
          {text}
        </code>
        {note !== "" && <span className={classes.quiet}> {note}</span>}
      </>
    );
  return (
    <>
      <WithCode text={text} />
      {reason !== "" && <span className={classes.quiet}> {texts.drawer.summary.because(reason)}</span>}
    </>
  );
}

/** `…` in a text stands for code. */
function WithCode({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((piece, place) =>
    place % 2 === 1 ? (
      <code key={place} className={classes.code}>
        {piece}
      </code>
    ) : (
      <Fragment key={place}>{piece}</Fragment>
    ),
  );
}
