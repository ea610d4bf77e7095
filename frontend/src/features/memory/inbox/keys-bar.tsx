/** The keys of the inbox, and the last decision with its undo. */

import { KeyCap } from "@/components/ui/key-cap";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import { inbox } from "@/texts/inbox";
import classes from "./inbox.module.css";
import type { Decisions } from "./use-decisions";

const words = inbox.keys;
const KEYS: readonly (readonly [text: string, ...keys: string[]])[] = [
  [words.moveShort, "J", "K"],
  [words.selectShort, "X"],
  [words.sourceShort, "O"],
  [words.undoShort, "Z"],
  [words.helpShort, "?"],
];

export function KeysBar({ decisions: { last, undo } }: { decisions: Decisions }) {
  return (
    <footer className={classes.bar}>
      <ul className={classes.legend}>
        {KEYS.map(([text, ...names]) => (
          <li key={text}>
            {names.map((name) => (
              <KeyCap key={name} keys={name} />
            ))}
            {text}
          </li>
        ))}
      </ul>
      {last !== null && (
        <p className={classes.last}>
          <span>{inbox.last(inbox.verdicts[last.verdict] ?? last.verdict, last.text)}</span>
          <TextButton onClick={() => undo(last.changeId)}>{texts.common.undo}</TextButton>
        </p>
      )}
    </footer>
  );
}
