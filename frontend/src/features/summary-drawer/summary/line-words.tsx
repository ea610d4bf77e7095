/** The text of a line: term or text, then its reason or note. */

import { Fragment } from "react";
import { drawerLists } from "@/texts/drawer-lists";
import classes from "./summary.module.css";
import type { DrawerLine } from "./lines";

export function LineText({ line }: { line: DrawerLine }) {
  const { field, text, reason, term, note, type } = line;
  if (field === "definitions")
    return (
      <>
        <strong>{term}</strong>: <TextWithCode text={text} />
      </>
    );
  if (field === "references")
    return (
      <>
        <code className={classes.code} title={drawerLists.summary.form.types[type]}>
          {text}
        </code>
        {note !== "" && <span className={classes.quiet}> {note}</span>}
      </>
    );
  return (
    <>
      <TextWithCode text={text} />
      {reason !== "" && <span className={classes.quiet}> {drawerLists.summary.because(reason)}</span>}
    </>
  );
}

/** Backticks in a text delimit code. */
function TextWithCode({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((piece, index) =>
    index % 2 === 1 ? (
      <code key={index} className={classes.code}>
        {piece}
      </code>
    ) : (
      <Fragment key={index}>{piece}</Fragment>
    ),
  );
}
