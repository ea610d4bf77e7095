/** The shell context for a feature under test. */

import type { ReactNode } from "react";
import { ShellContext, type ShellActions } from "@/components/hooks/shell-context";
import { me } from "./samples";

const noop = () => undefined;

export function InShell({ children, ...actions }: Partial<ShellActions> & { children: ReactNode }) {
  const shell: ShellActions = {
    me: me(),
    openList: noop,
    openPalette: noop,
    openHelp: noop,
    startTour: undefined,
    drawerOpen: false,
    setDrawerOpen: noop,
    ...actions,
  };
  return <ShellContext value={shell}>{children}</ShellContext>;
}
