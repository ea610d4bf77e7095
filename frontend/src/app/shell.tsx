/** The frame of every signed-in page: the list at the left (an overlay on small screens), the page beside it. */

import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useNavigate, useParams } from "react-router";
import type { Me } from "@/api/session";
import { ShellContext } from "@/components/shell-context";
import { texts } from "@/texts";
import { ListFrame } from "./list-frame";
import classes from "./shell.module.css";
import { useDrawerOpen } from "./use-drawer-open";
import { useTour } from "./use-tour";

const Palette = lazy(() => import("@/features/palette/palette"));
const Tour = lazy(() => import("@/features/tour/tour"));
const KeysHelp = lazy(() => import("@/features/help/keys-help"));

export function Shell({ me, children }: { me: Me; children: ReactNode }) {
  const { conversationId } = useParams();
  const [listOpen, list] = useDisclosure(false);
  const palette = useLazyPanel();
  const help = useLazyPanel();
  const [drawerOpen, setDrawerOpen] = useDrawerOpen();
  const tour = useTour(conversationId);
  const navigate = useNavigate();
  useHotkeys(
    [
      ["mod+K", palette.toggle],
      ["mod+/", help.toggle],
      ["mod+shift+O", () => void navigate("/")],
    ],
    [],
  );
  const offered = {
    me,
    openList: list.open,
    openPalette: palette.open,
    openHelp: help.open,
    startTour: tour.start,
    drawerOpen,
    setDrawerOpen,
  };
  return (
    <ShellContext value={offered}>
      <a className={classes.skip} href="#page">
        {texts.list.skip}
      </a>
      <div className={classes.shell}>
        <ListFrame
          currentId={conversationId}
          open={listOpen}
          onClose={list.close}
          onSearch={palette.open}
          beside={drawerOpen && conversationId !== undefined && me.features?.ui === true}
        />
        <main className={classes.main} id="page" tabIndex={-1} inert={listOpen}>
          {children}
        </main>
      </div>
      <Suspense>
        {palette.wanted && <Palette open={palette.isOpen} onClose={palette.close} />}
        {tour.isOn && <Tour onEnd={tour.end} />}
        {help.wanted && <KeysHelp open={help.isOpen} onClose={help.close} />}
      </Suspense>
    </ShellContext>
  );
}

/** A panel whose code is fetched when it is opened for the first time, and stays for its closing. */
function useLazyPanel() {
  const [isOpen, { open, close, toggle }] = useDisclosure(false);
  const [wanted, setWanted] = useState(false);
  if (isOpen && !wanted) setWanted(true);
  return { isOpen, wanted, open, close, toggle };
}
