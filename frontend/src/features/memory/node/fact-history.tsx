/** Since when a fact holds, what superseded it, and what it superseded. */

import { Link } from "react-router";
import type { MemoryNode } from "@/api/memories";
import { date } from "@/lib/format";
import { memory } from "@/texts/memory";
import { nodePath } from "../routes";
import shared from "../shared.module.css";
import classes from "./node.module.css";

const words = memory.fact;

export function FactHistory({ node }: { node: MemoryNode }) {
  const { valid_from: from, valid_to: to, supersedes } = node;
  if (from === null || (to === null && supersedes.length === 0)) return null;
  return (
    <section className={shared.part}>
      <h2>{words.title}</h2>
      <p className={shared.told}>
        {to === null ? words.since(date(from)) : words.between(date(from), date(to))}
      </p>
      <ul className={classes.history}>
        {supersedes.map((one) => (
          <li key={one.id}>
            <Link to={nodePath(one.id)}>{one.abstract}</Link>{" "}
            <span className={shared.hint}>{period(one.valid_from, one.valid_to)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function period(from: string | null, to: string | null): string {
  return words.period(from === null ? "" : date(from), to === null ? "" : date(to));
}
