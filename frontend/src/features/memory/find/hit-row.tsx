/** One search result: text, location and explained score. */

import { type ReactNode, useState } from "react";
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
import type { ScoreBreakdown } from "./score-breakdown";
import { ScoreBar, ScoreTable } from "./score";

const words = memory.find;

interface Props {
  hit: Hit;
  breakdown: ScoreBreakdown;
  /** The score of a full bar. */
  highest: number;
  children: ReactNode;
}

export function HitRow({ hit, breakdown, highest, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const title = titleOfHit(hit);
  return (
    <li className={classes.hit}>
      <div className={classes.what}>
        <p className={classes.title}>
          <Link to={linkTo(hit)}>{title}</Link>
          <Tag>{hit.kind === "memory" ? categoryName(hit.category) : words.kinds[hit.kind]}</Tag>
          <span className={shared.hint}>{date(hit.occurred_at)}</span>
        </p>
        {children}
        {correctionOf(hit) !== "" && <p className={shared.hint}>{correctionOf(hit)}</p>}
        <p className={shared.address}>{SOURCES[hit.kind](hit)}</p>
      </div>
      <div className={classes.score}>
        <ScoreBar breakdown={breakdown} highest={highest} />
        <TextButton aria-expanded={isOpen} aria-label={words.whyOf(title)} onClick={() => setOpen(!isOpen)}>
          {words.why}
        </TextButton>
      </div>
      {isOpen && <ScoreTable breakdown={breakdown} />}
    </li>
  );
}

export function Excerpt({ hit }: { hit: Hit }) {
  return <p className={classes.snippet}>{hit.abstract || hit.snippet}</p>;
}

export function titleOfHit(hit: Hit): string {
  return TITLES[hit.kind](hit);
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
