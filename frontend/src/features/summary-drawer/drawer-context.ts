/** What every part of the drawer knows: which conversation, how it is now, and where one may go. */

import { createContext, useContext } from "react";
import type { View } from "@/events/reducer";
import type { CurrentRun } from "./compaction/use-run";

export type DrawerPage =
  | { name: "context" }
  | { name: "history" }
  | { name: "comparison"; from: number; to: number; back: "context" | "history" }
  | { name: "pack" };

export interface DrawerValue {
  id: string;
  view: View | null;
  run: CurrentRun;
  /** Whether one may change anything here; who may not is shown no way to. */
  canWrite: boolean;
  onShow: (index: number) => void;
  go: (page: DrawerPage) => void;
}

export const DrawerContext = createContext<DrawerValue | null>(null);

export function useDrawer(): DrawerValue {
  const value = useContext(DrawerContext);
  if (value === null) throw new Error("outside of the drawer");
  return value;
}
