/** The actions on a memory as buttons; some open a form. */

import { Button, Menu } from "@mantine/core";
import {
  Archive,
  ArchiveRestore,
  Download,
  FolderInput,
  Merge,
  Pencil,
  Plus,
  Share2,
  Upload,
} from "lucide-react";
import { Link } from "react-router";
import { exportHref, type MemoryNode, useMemoryAction } from "@/api/memories";
import { KeyCap } from "@/components/ui/key-cap";
import { useShell } from "@/components/hooks/shell-context";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { memory } from "@/texts/memory";
import { mayChange, mayManage, mayShare, mayWrite } from "../permissions";
import { importPath, newPath } from "../routes";
import shared from "../shared.module.css";
import classes from "./node.module.css";

const words = memory.deeds;
const ICON = { "size": 16, "strokeWidth": 1.75, "aria-hidden": true } as const;

export type Form = "edit" | "move" | "merge" | "share" | "erase";

interface Props {
  node: MemoryNode;
  /** While a form is open only harmless actions are offered. */
  isBusy: boolean;
  onForm: (form: Form) => void;
}

export function Actions({ node, isBusy, onForm }: Props) {
  const { me } = useShell();
  const isMine = mayChange(me, node);
  const isManaged = mayManage(me, node);
  const isDirectory = node.node_type === "dir";
  const isArchived = node.archived_at !== null;
  return (
    <>
      <div className={shared.actions}>
        {isMine && !isArchived && !isBusy && (
          <>
            <Button
              size="xs"
              leftSection={<Pencil {...ICON} />}
              rightSection={<KeyCap keys="E" />}
              onClick={() => onForm("edit")}
            >
              {words.edit}
            </Button>
            {!isDirectory && isManaged && (
              <Button
                size="xs"
                leftSection={<Merge {...ICON} />}
                rightSection={<KeyCap keys="M" />}
                onClick={() => onForm("merge")}
              >
                {words.merge}
              </Button>
            )}
            {isManaged && (
              <Button size="xs" leftSection={<FolderInput {...ICON} />} onClick={() => onForm("move")}>
                {words.move}
              </Button>
            )}
            {mayShare(me, node) && (
              <Button size="xs" leftSection={<Share2 {...ICON} />} onClick={() => onForm("share")}>
                {words.share}
              </Button>
            )}
          </>
        )}
        {isMine && !isBusy && <ArchiveButton node={node} />}
        {isDirectory && mayWrite(me) && !isArchived && <AddButtons uri={node.uri} />}
        <Export uri={node.uri} />
        {isManaged && !isBusy && (
          <Button size="xs" variant="subtle" className={classes.erase ?? ""} onClick={() => onForm("erase")}>
            {words.erase}
          </Button>
        )}
      </div>
      {!isMine && mayWrite(me) && (
        <p className={shared.hint}>{node.fixed ? words.fixed : words.readOnlyTeam}</p>
      )}
    </>
  );
}

/** Archiving needs no confirmation because it can be undone. */
function ArchiveButton({ node: { id, archived_at } }: { node: MemoryNode }) {
  const { mutateAsync, isPending } = useMemoryAction(id);
  const isArchived = archived_at !== null;
  const restore = () =>
    void mutateAsync("restore").then(() => toast(words.wasRestored, { tone: "ok" }), toastProblem);
  const archive = () => {
    const onDone = () =>
      toast(words.wasArchived, { tone: "ok", action: { label: texts.common.undo, run: restore } });
    void mutateAsync("archive").then(onDone, toastProblem);
  };
  return (
    <Button
      size="xs"
      leftSection={isArchived ? <ArchiveRestore {...ICON} /> : <Archive {...ICON} />}
      loading={isPending}
      onClick={isArchived ? restore : archive}
    >
      {isArchived ? words.restore : words.archive}
    </Button>
  );
}

/** The buttons that add content to a directory. */
export function AddButtons({ uri }: { uri: string }) {
  return (
    <>
      <Button size="xs" component={Link} to={newPath(uri)} leftSection={<Plus {...ICON} />}>
        {words.createHere}
      </Button>
      <Button size="xs" component={Link} to={importPath(uri)} leftSection={<Upload {...ICON} />}>
        {words.import}
      </Button>
    </>
  );
}

function Export({ uri }: { uri: string }) {
  return (
    <Menu position="bottom-start" withinPortal={false}>
      <Menu.Target>
        <Button size="xs" leftSection={<Download {...ICON} />}>
          {words.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={exportHref(uri, "markdown")} download>
          {words.markdown}
        </Menu.Item>
        <Menu.Item component="a" href={exportHref(uri, "json")} download>
          {words.json}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
