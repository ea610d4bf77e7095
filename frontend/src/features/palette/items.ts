/** Items of the palette: commands and destinations, in groups. */

import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export interface Item {
  id: string;
  Icon: LucideIcon;
  label: ReactNode;
  /** A command matches by these words too. */
  words?: string;
  detail?: ReactNode;
  /** Show the detail below the label, because it may be long. */
  isDetailBelow?: boolean;
  keys?: string;
  run: () => void;
}

export interface ItemGroup {
  name: string;
  items: Item[];
}

/** Commands of which every typed word is a prefix of a word. */
export function matchingItems(items: Item[], query: string): Item[] {
  const typed = splitWords(query);
  return items.filter(({ words = "" }) => {
    const keywords = splitWords(words);
    return typed.every((word) => keywords.some((one) => one.startsWith(word)));
  });
}

function splitWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
