import { createContext, useContext, useEffect } from "react";
import type { Opened } from "./use-opened";

export interface TreeContextValue {
  opened: Opened;
  /** The uppermost item's key. */
  first: string;
  archived: boolean;
  /** What is looked at: the key of its item. */
  current: string | null;
  /** The item that Tab reaches. */
  reached: string;
  onReach: (key: string) => void;
  /** Whether that item is drawn; until then Tab reaches the first one. */
  isThere: boolean;
  onThere: (isThere: boolean) => void;
}

export const TreeContext = createContext<TreeContextValue | null>(null);

export function useTree(): TreeContextValue {
  const tree = useContext(TreeContext);
  if (tree === null) throw new Error("outside of the tree");
  return tree;
}

/** The item's place in the order of Tab. */
export function useTabIndex(key: string): 0 | -1 {
  const { first, reached, isThere, onThere } = useTree();
  const isReached = reached === key;
  useEffect(() => {
    if (!isReached) return;
    onThere(true);
    return () => onThere(false);
  }, [isReached, onThere]);
  return isReached || (!isThere && key === first) ? 0 : -1;
}
