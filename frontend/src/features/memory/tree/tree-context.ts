import { createContext, useContext, useEffect } from "react";
import type { OpenDirectories } from "./use-opened";

export interface TreeContextValue {
  opened: OpenDirectories;
  /** The key of the first item. */
  first: string;
  archived: boolean;
  /** The key of the selected item. */
  current: string | null;
  /** The item in the tab order (roving tabindex). */
  tabStop: string;
  setTabStop: (key: string) => void;
  /** Until that item is mounted, the first item is in the tab order. */
  isTabStopMounted: boolean;
  setTabStopMounted: (isTabStopMounted: boolean) => void;
}

export const TreeContext = createContext<TreeContextValue | null>(null);

export function useTree(): TreeContextValue {
  const tree = useContext(TreeContext);
  if (tree === null) throw new Error("outside of the tree");
  return tree;
}

/** The tabindex of an item. */
export function useTabIndex(key: string): 0 | -1 {
  const { first, tabStop, isTabStopMounted, setTabStopMounted } = useTree();
  const isTabStop = tabStop === key;
  useEffect(() => {
    if (!isTabStop) return;
    setTabStopMounted(true);
    return () => setTabStopMounted(false);
  }, [isTabStop, setTabStopMounted]);
  return isTabStop || (!isTabStopMounted && key === first) ? 0 : -1;
}
