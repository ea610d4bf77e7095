/** The rounds in which a search looked around its best results. */

import type { TreeSearchResult } from "@/api/find";
import { memorySearch } from "@/texts/memory-search";
import shared from "../shared.module.css";
import classes from "./tree-results.module.css";

type Round = TreeSearchResult["rounds"][number];

export function Rounds({ rounds, end }: Pick<TreeSearchResult, "rounds" | "end">) {
  return (
    <details className={classes.rounds}>
      <summary>{memorySearch.rounds(rounds.length)}</summary>
      <ol>
        {rounds.map((round) => (
          <li key={round.number}>
            <Steps round={round} />
          </li>
        ))}
      </ol>
      {end !== null && <p className={shared.hint}>{memorySearch.ends[end]}</p>}
    </details>
  );
}

function Steps({ round: { directories, added } }: { round: Round }) {
  if (directories.length === 0) return memorySearch.nothingLeft;
  return (
    <>
      {memorySearch.lookedInto} <span className={shared.address}>{directories.join(", ")}</span>.{" "}
      {memorySearch.added(added)}
    </>
  );
}
