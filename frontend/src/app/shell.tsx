/** The frame of every signed-in page: the list on the left (an overlay on small screens) and the page next to it. */

import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { type ReactNode, useEffect, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { type Me, useTimeZone } from "@/api/session";
import { ShellContext } from "@/components/hooks/shell-context";
import { toast } from "@/components/feedback/toast";
import { useIsRefused } from "@/events/live";
import { useOutboxWorker } from "@/features/chat/sending/use-sender";
import { texts } from "@/texts";
import { Sidebar } from "./sidebar";
import { RouteErrorBoundary } from "./route-error-boundary";
import { KeysHelp, Palette, Tour, usePrefetchPanels } from "./lazy-panels";
import classes from "./shell.module.css";
import { useDrawerOpen } from "./use-drawer-open";
import { useTour } from "./use-tour";

export function Shell({ me, children }: { me: Me; children: ReactNode }) {
  const { conversationId } = useParams();
  const [listOpen, list] = useDisclosure(false);
  const palette = useLazyPanel();
  const help = useLazyPanel();
  const tour = useTour(me, conversationId);
  useTimeZone(me);
  const [drawerOpen, setDrawerOpen] = useDrawerOpen(tour.isOn);
  const hasDrawer = me.features?.ui === true;
  const navigate = useNavigate();
  usePrefetchPanels(hasDrawer);
  useOutboxWorker(me);
  useRefusalToast();
  useHotkeys(
    [
      ["mod+K", palette.toggle],
      ["mod+/", help.toggle],
      ["mod+shift+O", () => void navigate("/")],
    ],
    [],
  );
  const shellActions = {
    me,
    openList: list.open,
    openPalette: palette.open,
    openHelp: help.open,
    startTour: tour.isOffered ? tour.start : undefined,
    drawerOpen,
    setDrawerOpen: (open: boolean) => {
      setDrawerOpen(open);
      // Without the drawer there is little to show.
      if (!open && tour.isOn) tour.end();
    },
  };
  return (
    <ShellContext value={shellActions}>
      <a className={classes.skip} href="#page">
        {texts.list.skip}
      </a>
      <div className={classes.shell}>
        <Sidebar
          currentId={conversationId}
          open={listOpen}
          onClose={list.close}
          onSearch={palette.open}
          hasOpenDrawer={drawerOpen && conversationId !== undefined && hasDrawer}
        />
        <main className={classes.main} id="page" tabIndex={-1} inert={listOpen}>
          <RouteErrorBoundary>{children}</RouteErrorBoundary>
        </main>
      </div>
      {palette.isMounted && (
        <Palette
          open={palette.isOpen}
          onClose={palette.close}
          onMissing={palette.unmount}
          onRetry={palette.open}
        />
      )}
      {tour.isOn && <Tour onEnd={tour.end} onMissing={tour.hide} onRetry={tour.start} />}
      {help.isMounted && (
        <KeysHelp open={help.isOpen} onClose={help.close} onMissing={help.unmount} onRetry={help.open} />
      )}
    </ShellContext>
  );
}

/** Tell the user about a refused socket; otherwise they would suspect the network. */
function useRefusalToast(): void {
  const isRefused = useIsRefused();
  useEffect(() => {
    if (isRefused) toast(texts.common.liveRefused, { tone: "bad" });
  }, [isRefused]);
}

/** A panel whose code is loaded when it first opens, and which stays mounted for its closing transition. */
function useLazyPanel() {
  const [isOpen, { open, close, toggle }] = useDisclosure(false);
  const [isMounted, setMounted] = useState(false);
  if (isOpen && !isMounted) setMounted(true);
  const unmount = () => {
    close();
    setMounted(false);
  };
  return { isOpen, isMounted, open, close, toggle, unmount };
}
