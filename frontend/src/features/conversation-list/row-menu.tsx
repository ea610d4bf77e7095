/** What can be done with a chat without opening it. */

import { ActionIcon, Menu } from "@mantine/core";
import { Archive, ArchiveRestore, Ellipsis, GitFork, Pencil } from "lucide-react";
import { useNavigate } from "react-router";
import { type Conversation, useFork } from "@/api/conversations";
import { useShell } from "@/components/shell-context";
import { toast, toastProblem } from "@/components/toast";
import { texts } from "@/texts";
import classes from "./row.module.css";
import { useArchive } from "./use-archive";

const ICON = { size: 16, strokeWidth: 1.75 } as const;

interface Props {
  conversation: Conversation;
  title: string;
  current: boolean;
  onRename: () => void;
  onChoose: () => void;
}

export function RowMenu({ conversation, title, current, onRename, onChoose }: Props) {
  const { me } = useShell();
  const archive = useArchive(conversation, title, current);
  const fork = useForking(conversation, onChoose);
  if (!me.scopes.includes("write")) return null;
  const isArchived = conversation.archived_at !== null;
  return (
    <div className={classes.menu}>
      <Menu position="bottom-end" withinPortal={false} floatingStrategy="fixed" width={200} returnFocus>
        <Menu.Target>
          <ActionIcon size={24} aria-label={texts.list.menuOf(title)}>
            <Ellipsis {...ICON} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Pencil {...ICON} />} onClick={onRename}>
            {texts.list.rename}
          </Menu.Item>
          <Menu.Item
            leftSection={<GitFork {...ICON} />}
            disabled={conversation.message_count === 0}
            onClick={fork}
          >
            {texts.list.fork}
          </Menu.Item>
          {conversation.owner_id === me.user.id && (
            <Menu.Item
              leftSection={isArchived ? <ArchiveRestore {...ICON} /> : <Archive {...ICON} />}
              onClick={archive}
            >
              {isArchived ? texts.list.unarchive : texts.list.archive}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

function useForking({ id, message_count }: Conversation, onChoose: () => void): () => void {
  const fork = useFork();
  const navigate = useNavigate();
  return () =>
    fork.mutate(
      { id, throughIndex: message_count - 1 },
      {
        onSuccess: (copy) => {
          onChoose();
          void navigate(`/c/${copy.id}`);
          toast(texts.list.forked, { tone: "ok" });
        },
        onError: toastProblem,
      },
    );
}
