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
import { alwaysPath, nodePath } from "../routes";
import shared from "../shared.module.css";
import classes from "./find.module.css";
import { ScoreBar, ScoreTable } from "./score";

const words = memory.find;

export function HitRow({ hit, highest }: { hit: Hit; highest: number }) {
  const [isOpen, setOpen] = useState(false);
  const title = TITLES[hit.kind](hit);
  return (
    <li className={classes.hit}>
      <div className={classes.what}>
        <p className={classes.title}>
          <Link to={linkTo(hit)}>{title}</Link>
          <Tag>{hit.kind === "memory" ? categoryName(hit.category) : words.kinds[hit.kind]}</Tag>
          <span className={shared.hint}>{date(hit.occurred_at)}</span>
        </p>
        <p className={classes.snippet}>{hit.abstract || hit.snippet}</p>
        {correctionOf(hit) !== "" && <p className={shared.hint}>{correctionOf(hit)}</p>}
        <p className={shared.address}>{SOURCES[hit.kind](hit)}</p>
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

function correctionOf({ replaced_by, replaced_at, disputed_by }: Hit): string {
  if (replaced_by !== "") return words.replaced(replaced_by, replaced_at === null ? "" : date(replaced_at));
  return disputed_by === "" ? "" : words.disputed(disputed_by);
}

const TITLES: Record<Hit["kind"], (hit: Hit) => string> = {
  memory: ({ uri }) => titleOf(uri),
  message: ({ index }) => words.message(index ?? 0),
  user_memory: ({ key }) => key,
};

const SOURCES: Record<Hit["kind"], (hit: Hit) => string> = {
  memory: ({ uri }) => uri,
  message: (hit) => words.from(authorOf(hit), hit.conversation_title),
  user_memory: ({ type }) => memory.always.types[type] ?? type,
};

function linkTo({ kind, id, conversation_id, index }: Hit): string {
  if (kind === "memory") return nodePath(id);
  if (kind === "user_memory") return alwaysPath(id);
  return `/c/${conversation_id ?? ""}${index === null ? "" : `?m=${index}`}`;
}

function authorOf({ name, role }: Hit): string {
  return name === "" ? (words.roles[role] ?? role) : name;
}
