/** The memory tree: directories are loaded when opened, and one item is in the tab order. */

import { useState } from "react";
import { memory } from "@/texts/memory";
import { rootsOf, useCategories } from "../categories";
import { Branch } from "./branch";
import { rootItem } from "./items";
import { TreeContext } from "./tree-context";
import { handleTreeKey } from "./tree-keys";
import classes from "./tree.module.css";
import { useOpenDirectories } from "./use-opened";

export interface Current {
  /** The id of a memory, or the address of a directory. */
  key: string;
  uri: string;
}

export function Tree({ current, archived }: { current: Current | null; archived: boolean }) {
  const roots = rootsOf(useCategories());
  const first = roots[0] ?? "";
  const opened = useOpenDirectories(current?.uri ?? null, roots);
  const [tabStop, setTabStop] = useState<string>(current?.key ?? first);
  const [previousKey, setPreviousKey] = useState(current?.key);
  if (previousKey !== current?.key) {
    setPreviousKey(current?.key);
    if (current) setTabStop(current.key);
  }
  const [isTabStopMounted, setTabStopMounted] = useState(false);
  const value = {
    opened,
    first,
    archived,
    current: current?.key ?? null,
    tabStop,
    setTabStop,
    isTabStopMounted,
    setTabStopMounted,
  };
  const actions = { setOpen: opened.toggle, open: (item: HTMLElement) => item.click() };
  return (
    <TreeContext value={value}>
      <div
        role="tree"
        className={classes.tree}
        aria-label={memory.tree.name}
        tabIndex={-1}
        onKeyDown={(event) => handleTreeKey(event, actions)}
      >
        {roots.map((uri) => (
          <Branch key={uri} item={rootItem(uri)} level={1} />
        ))}
      </div>
    </TreeContext>
  );
}
