/** What the palette offers: things to do and places to go, in groups. */

import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export interface Item {
  id: string;
  Icon: LucideIcon;
  label: ReactNode;
  /** By which a command is found. */
  words?: string;
  detail?: ReactNode;
  /** The detail stands under the label, which may be long. */
  below?: boolean;
  keys?: string;
  run: () => void;
}

export interface ItemGroup {
  name: string;
  items: Item[];
}

/** Commands of which every word that was typed is the beginning of one of theirs. */
export function fitting(items: Item[], query: string): Item[] {
  const typed = wordsOf(query);
  return items.filter(({ words = "" }) => {
    const own = wordsOf(words);
    return typed.every((word) => own.some((one) => one.startsWith(word)));
  });
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
