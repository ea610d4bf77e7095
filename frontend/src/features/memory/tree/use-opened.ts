/** Which directories of the tree are open; this browser keeps it; the first time, the roots. Those above what is looked at open by themselves. */

import { useState } from "react";
import { keep, kept } from "@/lib/local-storage";
import { parentOf, trailOf } from "../address";

const NAME = "memory-open";

export interface Opened {
  has: (uri: string) => boolean;
  turn: (uri: string, open: boolean) => void;
}

export function useOpened(current: string | null, first: readonly string[]): Opened {
  const [open, setOpen] = useState<readonly string[]>(() => kept(NAME, first));
  const [revealed, setRevealed] = useState<string | null>(null);
  if (current !== revealed) {
    setRevealed(current);
    const parent = current === null ? null : parentOf(current);
    if (parent !== null) setOpen([...new Set([...open, ...trailOf(parent)])]);
  }
  return {
    has: (uri) => open.includes(uri),
    turn: (uri, wanted) => {
      const others = open.filter((one) => one !== uri);
      const next = wanted ? [...others, uri] : others;
      setOpen(next);
      keep(NAME, next);
    },
  };
}
