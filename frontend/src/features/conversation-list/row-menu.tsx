/** The menu of a chat in the list. */

import { ActionIcon, Menu } from "@mantine/core";
import { Archive, ArchiveRestore, Ellipsis, GitFork, Pencil, Trash2 } from "lucide-react";
import type { Conversation } from "@/api/conversations";
import { useForks } from "@/components/hooks/message-fork";
import { useShell } from "@/components/hooks/shell-context";
import { toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import classes from "./row.module.css";
import { useArchive } from "./use-archive";

const ICON = { size: 16, strokeWidth: 1.75 } as const;

interface Props {
  conversation: Conversation;
  title: string;
  current: boolean;
  onRename: () => void;
  onDelete: () => void;
  onChoose: () => void;
}

export function RowMenu({ conversation, title, current, onRename, onDelete, onChoose }: Props) {
  const { me } = useShell();
  const archive = useArchive(conversation, title, current);
  const fork = useForkChat(conversation, onChoose);
  if (!me.scopes.includes("write")) return null;
  const { access } = conversation;
  const isArchived = conversation.archived_at !== null;
  return (
    <div className={classes.menu}>
      <Menu
        position="bottom-end"
        withinPortal={false}
        withInitialFocusPlaceholder={false}
        floatingStrategy="fixed"
        width={200}
        returnFocus
      >
        <Menu.Target>
          <ActionIcon size={24} aria-label={texts.list.menuOf(title)}>
            <Ellipsis {...ICON} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {access !== "read" && (
            <Menu.Item leftSection={<Pencil {...ICON} />} onClick={onRename}>
              {texts.list.rename}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<GitFork {...ICON} />}
            disabled={conversation.message_count === 0}
            onClick={fork}
          >
            {texts.list.fork}
          </Menu.Item>
          {access === "owner" && (
            <Menu.Item
              leftSection={isArchived ? <ArchiveRestore {...ICON} /> : <Archive {...ICON} />}
              onClick={archive}
            >
              {isArchived ? texts.list.unarchive : texts.list.archive}
            </Menu.Item>
          )}
          {access === "owner" && (
            <Menu.Item leftSection={<Trash2 {...ICON} />} onClick={onDelete}>
              {texts.list.delete}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

function useForkChat(conversation: Conversation, onChoose: () => void): () => void {
  const forks = useForks();
  const fork = async () => {
    const created = await forks.create(conversation, conversation.message_count - 1);
    onChoose();
    forks.open(conversation, created);
  };
  return () => void fork().catch(toastProblem);
}
