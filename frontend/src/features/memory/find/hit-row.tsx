/** One search result: excerpt, location and explained score. */

import { useState } from "react";
import { Link } from "react-router";
import type { Hit } from "@/api/find";
import { Tag } from "@/components/ui/tag";
import { TextButton } from "@/components/ui/text-button";
import { date } from "@/lib/format";
import { memory } from "@/texts/memory";
import { titleOf } from "../address";
import { categoryName } from "../categories";
import { nodePath } from "../routes";
import shared from "../shared.module.css";
import classes from "./find.module.css";
import { ScoreBar, ScoreTable } from "./score";

const words = memory.find;

export function HitRow({ hit, highest }: { hit: Hit; highest: number }) {
  const [isOpen, setOpen] = useState(false);
  const title = hit.kind === "memory" ? titleOf(hit.uri) : words.message(hit.index ?? 0);
  const excerpt = hit.kind === "memory" ? hit.abstract || hit.snippet : hit.snippet;
  return (
    <li className={classes.hit}>
      <div className={classes.what}>
        <p className={classes.title}>
          <Link to={linkTo(hit)}>{title}</Link>
          <Tag>{hit.kind === "memory" ? categoryName(hit.category) : words.kindMessage}</Tag>
          <span className={shared.hint}>{date(hit.occurred_at)}</span>
        </p>
        <p className={classes.snippet}>{excerpt}</p>
        <p className={shared.address}>
          {hit.kind === "memory" ? hit.uri : words.from(authorOf(hit), hit.conversation_title)}
        </p>
      </div>
      <div className={classes.score}>
        <ScoreBar hit={hit} highest={highest} />
        <TextButton aria-expanded={isOpen} aria-label={words.whyOf(title)} onClick={() => setOpen(!isOpen)}>
          {words.why}
        </TextButton>
      </div>
      {isOpen && <ScoreTable hit={hit} />}
    </li>
  );
}

function linkTo({ kind, id, conversation_id, index }: Hit): string {
  if (kind === "memory") return nodePath(id);
  return `/c/${conversation_id ?? ""}${index === null ? "" : `?m=${index}`}`;
}

function authorOf({ name, role }: Hit): string {
  return name === "" ? (words.roles[role] ?? role) : name;
}
