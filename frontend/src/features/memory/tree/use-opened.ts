/**
 * The open directories, stored in the browser; by default the roots. Ancestors of the selected item open automatically.
 */

import { useState } from "react";
import { writeStored, readStored } from "@/lib/local-storage";
import { parentOf, trailOf } from "../address";

const NAME = "memory-open";

export interface OpenDirectories {
  has: (uri: string) => boolean;
  toggle: (uri: string, open: boolean) => void;
}

export function useOpenDirectories(current: string | null, first: readonly string[]): OpenDirectories {
  const [open, setOpen] = useState<readonly string[]>(() => readStored(NAME, first));
  const [revealed, setRevealed] = useState<string | null>(null);
  if (current !== revealed) {
    setRevealed(current);
    const parent = current === null ? null : parentOf(current);
    if (parent !== null) setOpen([...new Set([...open, ...trailOf(parent)])]);
  }
  return {
    has: (uri) => open.includes(uri),
    toggle: (uri, isOpen) => {
      const others = open.filter((one) => one !== uri);
      const next = isOpen ? [...others, uri] : others;
      setOpen(next);
      writeStored(NAME, next);
    },
  };
}
