/** Memories in use that mean nearly the same. */

import { Link } from "react-router";
import type { InboxItem } from "@/api/inbox";
import { inbox } from "@/texts/inbox";
import { nodePath } from "../routes";
import classes from "./inbox.module.css";
import { titleOfMemory } from "./item-words";

export function NearDuplicates({ item }: { item: InboxItem }) {
  return (
    <section className={classes.part}>
      <h3>{inbox.near}</h3>
      <ul className={classes.near}>
        {item.near_duplicates.map(({ memory, similarity }) => (
          <li key={memory.id}>
            <Link to={nodePath(memory.id)}>{titleOfMemory(memory)}</Link>
            <span className={classes.hint}>{inbox.nearIs(Math.round(similarity * 100))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
