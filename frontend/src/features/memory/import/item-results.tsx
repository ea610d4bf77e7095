/** The result of each memory of an import. */

import { useState } from "react";
import { Link } from "react-router";
import type { ImportResults } from "@/api/memories";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { memory } from "@/texts/memory";
import { nodePath } from "../routes";
import classes from "./import.module.css";

const words = memory.import;

type ItemResult = ImportResults["items"][number];

interface Props {
  items: readonly ItemResult[];
}

/** Rejected memories with their reasons. */
export function RefusedItems({ items }: Props) {
  const refused = items.filter(({ state }) => state === "refused");
  if (refused.length === 0) return null;
  return (
    <InlineAlert tone="warn" title={words.refused}>
      <ul className={classes.results} aria-label={words.refused}>
        {refused.map((item) => (
          <li key={item.position}>
            <ItemLabel item={item} /> {item.detail}
          </li>
        ))}
      </ul>
    </InlineAlert>
  );
}

/** There may be thousands of items, so they are rendered on demand. */
export function AllItems({ items }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={classes.every}>{words.every(items.length)}</summary>
      {isOpen && (
        <ul className={classes.results}>
          {items.map((item) => (
            <li key={item.position}>
              <ItemLabel item={item} /> {words.states[item.state]}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

function ItemLabel({ item: { position, id, uri } }: { item: ItemResult }) {
  const name = uri === "" ? words.entry(position + 1) : uri;
  if (id === null) return <span className={classes.name}>{name}</span>;
  return (
    <Link className={classes.name} to={nodePath(id)}>
      {name}
    </Link>
  );
}
