/** What became of each memory of an import. */

import { useState } from "react";
import { Link } from "react-router";
import type { ImportResults } from "@/api/memories";
import { Note } from "@/components/feedback/inline-alert";
import { memory } from "@/texts/memory";
import { nodePath } from "../routes";
import classes from "./import.module.css";

const words = memory.import;

type ItemResult = ImportResults["items"][number];

interface Props {
  items: readonly ItemResult[];
}

/** With the reason of each. */
export function RefusedItems({ items }: Props) {
  const refused = items.filter(({ state }) => state === "refused");
  if (refused.length === 0) return null;
  return (
    <Note tone="warn" title={words.refused}>
      <ul className={classes.results} aria-label={words.refused}>
        {refused.map((item) => (
          <li key={item.position}>
            <Named item={item} /> {item.detail}
          </li>
        ))}
      </ul>
    </Note>
  );
}

/** They may be thousands: so they are drawn when they are asked for. */
export function EveryItem({ items }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={classes.every}>{words.every(items.length)}</summary>
      {isOpen && (
        <ul className={classes.results}>
          {items.map((item) => (
            <li key={item.position}>
              <Named item={item} /> {words.states[item.state]}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

function Named({ item: { position, node_id, uri } }: { item: ItemResult }) {
  const name = uri === "" ? words.entry(position + 1) : uri;
  if (node_id === null) return <span className={classes.name}>{name}</span>;
  return (
    <Link className={classes.name} to={nodePath(node_id)}>
      {name}
    </Link>
  );
}
