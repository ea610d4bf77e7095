/** The frame of every signed-in page: the list at the left (an overlay on small screens), the page beside it. */

import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { type ReactNode, useEffect, useState } from "react";
import { useNavigate, useParams } from "react-router";
import type { Me } from "@/api/session";
import { ShellContext } from "@/components/hooks/shell-context";
import { toast } from "@/components/feedback/toast";
import { useIsRefused } from "@/events/live";
import { useSender } from "@/features/chat/sending/use-sender";
import { texts } from "@/texts";
import { ListFrame } from "./sidebar";
import { PageBoundary } from "./route-error-boundary";
import { KeysHelp, Palette, Tour, usePanelsAhead } from "./lazy-panels";
import classes from "./shell.module.css";
import { useDrawerOpen } from "./use-drawer-open";
import { useTour } from "./use-tour";

export function Shell({ me, children }: { me: Me; children: ReactNode }) {
  const { conversationId } = useParams();
  const [listOpen, list] = useDisclosure(false);
  const palette = useLazyPanel();
  const help = useLazyPanel();
  const [drawerOpen, setDrawerOpen] = useDrawerOpen();
  const tour = useTour(me.user.id, conversationId);
  const hasDrawer = me.features?.ui === true;
  const navigate = useNavigate();
  usePanelsAhead(hasDrawer);
  useSender(me);
  useRefusalTold();
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
    startTour: tour.isOffered ? tour.start : undefined,
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
          beside={drawerOpen && conversationId !== undefined && hasDrawer}
        />
        <main className={classes.main} id="page" tabIndex={-1} inert={listOpen}>
          <PageBoundary>{children}</PageBoundary>
        </main>
      </div>
      {palette.wanted && (
        <Palette
          open={palette.isOpen}
          onClose={palette.close}
          onMissing={palette.forget}
          onAgain={palette.open}
        />
      )}
      {tour.isOn && <Tour onEnd={tour.end} onMissing={tour.leave} onAgain={tour.start} />}
      {help.wanted && (
        <KeysHelp open={help.isOpen} onClose={help.close} onMissing={help.forget} onAgain={help.open} />
      )}
    </ShellContext>
  );
}

/** Else one would look for the fault in the network. */
function useRefusalTold(): void {
  const isRefused = useIsRefused();
  useEffect(() => {
    if (isRefused) toast(texts.common.liveRefused, { tone: "bad" });
  }, [isRefused]);
}

/** A panel whose code is fetched when it is opened for the first time, and stays for its closing. */
function useLazyPanel() {
  const [isOpen, { open, close, toggle }] = useDisclosure(false);
  const [wanted, setWanted] = useState(false);
  if (isOpen && !wanted) setWanted(true);
  const forget = () => {
    close();
    setWanted(false);
  };
  return { isOpen, wanted, open, close, toggle, forget };
}
