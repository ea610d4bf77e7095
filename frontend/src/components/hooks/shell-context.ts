/** What the frame offers to the pages and features in it. */

import { createContext, useContext } from "react";
import type { Me } from "@/api/session";

export interface ShellActions {
  me: Me;
  openList: () => void;
  openPalette: () => void;
  openHelp: () => void;
  /** Undefined where there is nothing to show somebody around in. */
  startTour: (() => void) | undefined;
  /** Whether the Summary Drawer stands beside conversations; this browser keeps it. */
  drawerOpen: boolean;
  setDrawerOpen: (open: boolean) => void;
}

export const ShellContext = createContext<ShellActions | null>(null);

export function useShell(): ShellActions {
  const shell = useContext(ShellContext);
  if (shell === null) throw new Error("outside of the shell");
  return shell;
}
