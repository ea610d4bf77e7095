/** Two texts as one: words that went are struck, words that came are marked. */

import { diffWordsWithSpace } from "diff";
import classes from "./diff.module.css";

export default function Diff({ before, after }: { before: string; after: string }) {
  return (
    <span>
      {diffWordsWithSpace(before, after).map((piece, place) => {
        if (piece.added)
          return (
            <ins key={place} className={classes.added}>
              {piece.value}
            </ins>
          );
        if (piece.removed)
          return (
            <del key={place} className={classes.removed}>
              {piece.value}
            </del>
          );
        return <span key={place}>{piece.value}</span>;
      })}
    </span>
  );
}
