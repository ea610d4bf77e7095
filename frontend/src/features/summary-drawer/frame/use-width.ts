/** How wide the drawer is beside the thread; this browser keeps it. */

import { useState } from "react";
import { keep, kept } from "@/lib/local-storage";

export const NARROWEST = 380;
export const WIDEST = 560;
const USUAL = 448;
const NAME = "drawer-width";

export interface Width {
  value: number;
  change: (width: number) => void;
}

export function useWidth(): Width {
  const [value, setValue] = useState(() => within(kept(NAME, USUAL)));
  const change = (width: number) => {
    setValue(within(width));
    keep(NAME, within(width));
  };
  return { value, change };
}

function within(width: number): number {
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
}
