/** The overview of a memory that was found, shortened at first; of other results, their excerpt. */

import { useState } from "react";
import { Link } from "react-router";
import type { TreeHit } from "@/api/find";
import { TextButton } from "@/components/ui/text-button";
import { memorySearch } from "@/texts/memory-search";
import { nodePath } from "../routes";
import { Excerpt, titleOfHit } from "./hit-row";
import { shorten } from "./shorten";
import classes from "./tree-results.module.css";

export function Overview({ hit }: { hit: TreeHit }) {
  const [isWhole, setWhole] = useState(false);
  if (hit.overview === "") return <Excerpt hit={hit} />;
  const title = titleOfHit(hit);
  const short = shorten(hit.overview);
  const label = isWhole ? memorySearch.showLessOf(title) : memorySearch.showAllOf(title);
  return (
    <>
      <p className={classes.overview}>{isWhole ? hit.overview : short}</p>
      <p className={classes.further}>
        {short !== hit.overview && (
          <TextButton aria-expanded={isWhole} aria-label={label} onClick={() => setWhole(!isWhole)}>
            {isWhole ? memorySearch.showLess : memorySearch.showAll}
          </TextButton>
        )}
        {hit.more !== "" && (
          <Link to={nodePath(hit.id, "content")} aria-label={memorySearch.wholeOf(title)}>
            {memorySearch.whole}
          </Link>
        )}
      </p>
    </>
  );
}
