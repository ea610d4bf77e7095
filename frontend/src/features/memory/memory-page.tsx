/** The memory page: the tree on the left; a memory, a folder or search results on the right; or the inbox. */

import { Button } from "@mantine/core";
import { ArrowLeft, FileUp, type LucideIcon, Plus, WifiOff } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link, Navigate, Route, Routes, useLocation, useSearchParams } from "react-router";
import { Loading } from "@/components/feedback/loading";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { MemoryHeader } from "@/components/memory/memory-header";
import { useShell } from "@/components/hooks/shell-context";
import { useConnection } from "@/events/live";
import { importFiles } from "@/texts/import-files";
import { memory } from "@/texts/memory";
import { AlwaysPage } from "./always/always-page";
import { MemoryIntro } from "./memory-intro";
import { FindPage } from "./find/find-page";
import { ImportPage } from "./import/import-page";
import { mayWrite } from "./permissions";
import classes from "./memory-page.module.css";
import { NewPage } from "./new/new-page";
import { FolderPage, NodePage } from "./node/node-page";
import { IMPORT, newPath, TREE } from "./routes";
import { Sidebar } from "./sidebar";
import { WithCategories } from "./with-categories";

const ImportFilesPage = lazy(() => import("./import-files/import-files-page"));
const InboxPage = lazy(() => import("./inbox/inbox-page"));

export default function MemoryPage() {
  return (
    <div className={classes.column}>
      <Header />
      <OfflineNote />
      <WithCategories>
        <Routes>
          <Route
            path="inbox/*"
            element={
              <Suspense fallback={<Loading />}>
                <InboxPage />
              </Suspense>
            }
          />
          <Route path="*" element={<Panes />} />
        </Routes>
      </WithCategories>
    </div>
  );
}

function Panes() {
  const { pathname } = useLocation();
  const isTree = pathname === TREE || pathname === `${TREE}/`;
  return (
    <div className={classes.panes}>
      <Routes>
        <Route path="n/:nodeId" element={<Sidebar isHome={false} />} />
        <Route path="*" element={<Sidebar isHome={isTree} />} />
      </Routes>
      <section className={classes.pane} data-home={isTree} aria-label={memory.title}>
        {!isTree && (
          <Link className={classes.back} to={TREE}>
            <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" /> {memory.backToTree}
          </Link>
        )}
        <Routes>
          <Route index element={<MemoryIntro />} />
          <Route path="n/:nodeId" element={<NodePage />} />
          <Route path="at" element={<FolderPage />} />
          <Route path="find" element={<FindPage />} />
          <Route path="new" element={<NewPage />} />
          <Route path="import" element={<ImportRoute />} />
          <Route path="always/:itemId?" element={<AlwaysPage />} />
          <Route path="*" element={<Navigate to={TREE} replace />} />
        </Routes>
      </section>
    </div>
  );
}

/** Into a folder if one is named, else from other tools. */
function ImportRoute() {
  const [search] = useSearchParams();
  if (search.has("uri")) return <ImportPage />;
  return (
    <Suspense fallback={<Loading />}>
      <ImportFilesPage />
    </Suspense>
  );
}

function OfflineNote() {
  if (useConnection() !== "away") return null;
  return (
    <InlineAlert tone="warn" role="status" icon={WifiOff}>
      <p>{memory.offline}</p>
    </InlineAlert>
  );
}

function Header() {
  const { me } = useShell();
  const action = mayWrite(me) && (
    <>
      <HeaderAction to={IMPORT} label={importFiles.open} icon={FileUp} className={classes.importAction} />
      <HeaderAction to={newPath()} label={memory.create} icon={Plus} className={classes.create} />
    </>
  );
  return <MemoryHeader action={action} />;
}

interface HeaderActionProps {
  to: string;
  label: string;
  icon: LucideIcon;
  className: string | undefined;
}

function HeaderAction({ to, label, icon: Icon, className = "" }: HeaderActionProps) {
  return (
    <Button
      size="xs"
      component={Link}
      to={to}
      className={className}
      aria-label={label}
      leftSection={<Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
    >
      <span className={classes.createLabel}>{label}</span>
    </Button>
  );
}
