/** Context of the shell for pages and features. */

import { createContext, useContext } from "react";
import type { Me } from "@/api/session";

export interface ShellActions {
  me: Me;
  openList: () => void;
  openPalette: () => void;
  openHelp: () => void;
  /** Undefined if there is no demo conversation to tour. */
  startTour: (() => void) | undefined;
  /** Whether the Summary Drawer is open; stored in the browser. */
  drawerOpen: boolean;
  setDrawerOpen: (open: boolean) => void;
}

export const ShellContext = createContext<ShellActions | null>(null);

export function useShell(): ShellActions {
  const shell = useContext(ShellContext);
  if (shell === null) throw new Error("outside of the shell");
  return shell;
}
