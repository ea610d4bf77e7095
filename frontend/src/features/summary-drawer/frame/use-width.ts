/** The drawer's width next to the thread, stored in the browser. */

import { useState } from "react";
import { writeStored, readStored } from "@/lib/local-storage";

export const MIN_WIDTH = 380;
export const MAX_WIDTH = 560;
const DEFAULT_WIDTH = 448;
const STORAGE_KEY = "drawer-width";

export interface Width {
  value: number;
  change: (width: number) => void;
}

export function useWidth(): Width {
  const [value, setValue] = useState(() => clamp(readStored(STORAGE_KEY, DEFAULT_WIDTH)));
  const change = (width: number) => {
    setValue(clamp(width));
    writeStored(STORAGE_KEY, clamp(width));
  };
  return { value, change };
}

function clamp(width: number): number {
  return Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
}
