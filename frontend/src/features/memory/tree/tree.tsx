/** The memory tree: three roots, each directory fetched when it is opened; one item is reached by Tab. */

import { useState } from "react";
import { memory } from "@/texts/memory";
import { rootsOf, useCategories } from "../categories";
import { Branch } from "./branch";
import { rootItem } from "./items";
import { TreeContext } from "./tree-context";
import { pressInTree } from "./tree-keys";
import classes from "./tree.module.css";
import { useOpened } from "./use-opened";

export interface Current {
  /** The id of a memory, or a directory's address. */
  key: string;
  uri: string;
}

export function Tree({ current, archived }: { current: Current | null; archived: boolean }) {
  const roots = rootsOf(useCategories());
  const first = roots[0] ?? "";
  const opened = useOpened(current?.uri ?? null, roots);
  const [reached, setReached] = useState<string>(current?.key ?? first);
  const [looked, setLooked] = useState(current?.key);
  if (looked !== current?.key) {
    setLooked(current?.key);
    if (current) setReached(current.key);
  }
  const [isThere, setThere] = useState(false);
  const offered = {
    opened,
    first,
    archived,
    current: current?.key ?? null,
    reached,
    onReach: setReached,
    isThere,
    onThere: setThere,
  };
  const deeds = { turn: opened.turn, open: (item: HTMLElement) => item.click() };
  return (
    <TreeContext value={offered}>
      <div
        role="tree"
        className={classes.tree}
        aria-label={memory.tree.name}
        tabIndex={-1}
        onKeyDown={(event) => pressInTree(event, deeds)}
      >
        {roots.map((uri) => (
          <Branch key={uri} item={rootItem(uri)} level={1} />
        ))}
      </div>
    </TreeContext>
  );
}
