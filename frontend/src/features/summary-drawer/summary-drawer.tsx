/** The Summary Drawer: how full the context is, what it contains, and the controls for it. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { conversationQuery } from "@/api/conversations";
import { Problem } from "@/api/problems";
import type { View } from "@/events/reducer";
import { DrawerFooter } from "./compaction/footer";
import { useRun } from "./compaction/use-run";
import { ContextPage } from "./context-page";
import { DrawerContext, type DrawerPage } from "./drawer-context";
import { Frame } from "./frame/frame";
import { useDrawerMode } from "./frame/use-drawer-mode";
import { DrawerHeader, pageBefore, titleOf } from "./header";
import { Comparison } from "./history/comparison";
import { useOpenComparison } from "./history/use-open-comparison";
import { History } from "./history/history";
import { PackPage } from "./pack/pack-page";
import { useCanWrite } from "./use-may-write";

interface Props {
  id: string;
  view: View | null;
  onClose: () => void;
  onShowMessage: (index: number) => void;
  /** The compaction to compare; each object identity is a new request. */
  compare?: { runId: string } | null;
}

/** Requests that were handled, so that reopening the drawer does not repeat them. */
const handled = new WeakSet();

export default function SummaryDrawer({ id, view, onClose, onShowMessage, compare = null }: Props) {
  const [page, setPage] = useState<DrawerPage>({ name: "context" });
  const run = useRun(id, view);
  const isMissing = useIsMissing(id);
  const canWrite = useCanWrite(id);
  const openComparison = useOpenComparison(id, setPage);
  useEffect(() => {
    if (compare === null || handled.has(compare)) return;
    handled.add(compare);
    openComparison(compare.runId);
  }, [compare, openComparison]);
  const isBeside = useDrawerMode() === "beside";
  const showMessage = (index: number) => {
    onShowMessage(index);
    if (!isBeside) onClose();
  };
  if (isMissing) return null;
  return (
    <DrawerContext value={{ id, view, run, canWrite, showMessage, navigate: setPage }}>
      <Frame
        header={<DrawerHeader page={page} onClose={onClose} />}
        footer={page.name === "context" ? <DrawerFooter /> : null}
        onClose={onClose}
        onEscape={page.name === "context" ? onClose : () => setPage(pageBefore(page))}
        scrollKey={titleOf(page)}
      >
        <Page page={page} />
      </Frame>
    </DrawerContext>
  );
}

/** Whether the conversation does not exist, or not for this user. */
function useIsMissing(id: string): boolean {
  const { error } = useQuery(conversationQuery(id));
  return error instanceof Problem && [403, 404].includes(error.status);
}

function Page({ page }: { page: DrawerPage }) {
  switch (page.name) {
    case "context":
      return <ContextPage />;
    case "history":
      return <History />;
    case "comparison":
      return <Comparison from={page.from} to={page.to} />;
    case "pack":
      return <PackPage />;
  }
}
