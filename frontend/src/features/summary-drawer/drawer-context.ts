/** The drawer's context: conversation, live state, current run and navigation. */

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
  /** Whether the user can change the conversation; otherwise the controls are hidden. */
  canWrite: boolean;
  showMessage: (index: number) => void;
  navigate: (page: DrawerPage) => void;
}

export const DrawerContext = createContext<DrawerValue | null>(null);

export function useDrawer(): DrawerValue {
  const value = useContext(DrawerContext);
  if (value === null) throw new Error("outside of the drawer");
  return value;
}
