/** The Summary Drawer: how full the context is, what is in it, and everything that one can do about it. */

import { useEffect, useState } from "react";
import type { View } from "@/events/reducer";
import { Foot } from "./compaction/footer";
import { useRun } from "./compaction/use-run";
import { ContextPage } from "./context-page";
import { DrawerContext, type DrawerPage } from "./drawer-context";
import { Frame } from "./frame/frame";
import { useRoom } from "./frame/use-drawer-mode";
import { Head, titleOf } from "./header";
import { Comparison } from "./history/comparison";
import { useOpenComparison } from "./history/use-open-comparison";
import { History } from "./history/history";
import { PackPage } from "./pack/pack-page";
import { useMayWrite } from "./use-may-write";

interface Props {
  id: string;
  view: View | null;
  onClose: () => void;
  onShowMessage: (index: number) => void;
  /** A compaction whose changes shall be shown; another object is another wish. */
  compare?: { runId: string } | null;
}

/** Who closes the drawer and opens it again does not wish for it once more. */
const fulfilled = new WeakSet();

export default function SummaryDrawer({ id, view, onClose, onShowMessage, compare = null }: Props) {
  const [page, setPage] = useState<DrawerPage>({ name: "context" });
  const run = useRun(id, view);
  const canWrite = useMayWrite(id);
  const openComparison = useOpenComparison(id, setPage);
  useEffect(() => {
    if (compare === null || fulfilled.has(compare)) return;
    fulfilled.add(compare);
    openComparison(compare.runId);
  }, [compare, openComparison]);
  const isBeside = useRoom() === "beside";
  const onShow = (index: number) => {
    onShowMessage(index);
    if (!isBeside) onClose();
  };
  return (
    <DrawerContext value={{ id, view, run, canWrite, onShow, go: setPage }}>
      <Frame
        head={<Head page={page} onClose={onClose} />}
        foot={page.name === "context" ? <Foot /> : null}
        onClose={onClose}
        scrollKey={titleOf(page)}
      >
        <Page page={page} />
      </Frame>
    </DrawerContext>
  );
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
