/** An inline diff of two texts by words. */

import { diffWordsWithSpace } from "diff";
import classes from "./diff.module.css";

export default function Diff({ before, after }: { before: string; after: string }) {
  return (
    <span>
      {diffWordsWithSpace(before, after).map((piece, index) => {
        if (piece.added)
          return (
            <ins key={index} className={classes.added}>
              {piece.value}
            </ins>
          );
        if (piece.removed)
          return (
            <del key={index} className={classes.removed}>
              {piece.value}
            </del>
          );
        return <span key={index}>{piece.value}</span>;
      })}
    </span>
  );
}
