/** The frame around a feature under test. */

import type { ReactNode } from "react";
import { ShellContext, type ShellActions } from "@/components/hooks/shell-context";
import { me } from "./samples";

const nothing = () => undefined;

export function InShell({ children, ...offered }: Partial<ShellActions> & { children: ReactNode }) {
  const shell: ShellActions = {
    me: me(),
    openList: nothing,
    openPalette: nothing,
    openHelp: nothing,
    startTour: undefined,
    drawerOpen: false,
    setDrawerOpen: nothing,
    ...offered,
  };
  return <ShellContext value={shell}>{children}</ShellContext>;
}
