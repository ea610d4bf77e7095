/** What a search understood: its sub-queries, by whom they were split, and what it had to do without. */

import { useId } from "react";
import type { TreeSearchResult } from "@/api/find";
import { Tag } from "@/components/ui/tag";
import { memorySearch } from "@/texts/memory-search";
import shared from "../shared.module.css";
import classes from "./tree-results.module.css";

export function Understood({ intent, degraded }: Pick<TreeSearchResult, "intent" | "degraded">) {
  const title = useId();
  if (intent.sub_queries.length === 0) return null;
  return (
    <section className={classes.understood} aria-labelledby={title}>
      <h2 id={title}>{memorySearch.understood}</h2>
      <ul>
        {intent.sub_queries.map(({ kind, text }) => (
          <li key={`${kind}/${text}`}>
            <Tag>{memorySearch.kinds[kind]}</Tag> {text}
          </li>
        ))}
      </ul>
      <p className={shared.hint}>{memorySearch.by(intent.by)}</p>
      {degraded.map((code) => (
        <p key={code} className={shared.hint}>
          {memorySearch.degraded(code)}
        </p>
      ))}
    </section>
  );
}
