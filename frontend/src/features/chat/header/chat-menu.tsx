/** The menu of actions on the conversation. */

import { ActionIcon, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import {
  Archive,
  ArchiveRestore,
  FolderTree,
  Download,
  Ellipsis,
  Eye,
  EyeOff,
  GitBranch,
  Link,
  type LucideIcon,
  Pencil,
} from "lucide-react";
import { useNavigate } from "react-router";
import { type Conversation, useChangeConversation } from "@/api/conversations";
import { toast, toastProblem } from "@/components/feedback/toast";
import { copyText } from "@/lib/clipboard";
import { texts } from "@/texts";
import type { Permissions } from "../permissions";
import { useForkConversation } from "../use-fork-conversation";

interface Props {
  conversation: Conversation;
  count: number;
  may: Permissions;
  onRename: () => void;
}

const { header } = texts.chat;

export function ChatMenu({ conversation, count, may, onRename }: Props) {
  const client = useQueryClient();
  const archive = useArchive(conversation);
  const [fork] = useForkConversation(conversation, count);
  const isArchived = conversation.archived_at !== null;
  const exportChat = async () => {
    const { exportMarkdown } = await import("./export");
    await exportMarkdown(client, conversation, count);
  };
  const save = () => void exportChat().catch(toastProblem);
  const navigate = useNavigate();
  const rememberChat = async () => {
    const { rememberNow } = await import("@/components/feedback/remember-now");
    await rememberNow(conversation.id, () => void navigate("/memory"));
  };
  const switchRemembering = async () => {
    const { setRemembering } = await import("./set-remembering");
    await setRemembering(client, conversation);
  };
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon size={32} aria-label={header.menu}>
          <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {may.change && <Item icon={Pencil} label={header.rename} onClick={onRename} />}
        <Item icon={Link} label={header.copyLink} onClick={() => void copyUrl(conversation.id)} />
        {may.fork && count > 0 && <Item icon={GitBranch} label={header.fork} onClick={fork} />}
        {may.remember && !conversation.temporary && (
          <>
            {count > 0 && (
              <Item
                icon={FolderTree}
                label={header.remember}
                onClick={() => void rememberChat().catch(toastProblem)}
              />
            )}
            <Item
              icon={conversation.remembers ? EyeOff : Eye}
              label={conversation.remembers ? header.forget : header.learn}
              onClick={() => void switchRemembering().catch(toastProblem)}
            />
          </>
        )}
        {count > 0 && <Item icon={Download} label={header.exportText} onClick={save} />}
        {may.archive && (
          <Item
            icon={isArchived ? ArchiveRestore : Archive}
            label={isArchived ? texts.chat.unarchive : header.archive}
            onClick={() => archive(!isArchived)}
          />
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Item({ icon: Icon, label, onClick }: { icon: LucideIcon; label: string; onClick: () => void }) {
  return (
    <Menu.Item leftSection={<Icon size={16} strokeWidth={1.75} aria-hidden="true" />} onClick={onClick}>
      {label}
    </Menu.Item>
  );
}

function useArchive({ id, version }: Conversation): (archived: boolean) => void {
  const { mutateAsync } = useChangeConversation();
  const change = async (archived: boolean, at: number): Promise<void> => {
    const changed = await mutateAsync({ id, version: at, body: { archived } });
    const undo = () => void change(!archived, changed.version).catch(toastProblem);
    const confirmation = archived ? header.archivedToast : header.unarchivedToast;
    toast(confirmation, { action: { label: texts.common.undo, run: undo }, tone: "ok" });
  };
  return (archived) => void change(archived, version).catch(toastProblem);
}

async function copyUrl(id: string): Promise<void> {
  const done = await copyText(`${location.origin}/c/${id}`);
  toast(done ? header.linkCopied : texts.chat.notCopied, { tone: done ? "ok" : "bad" });
}
