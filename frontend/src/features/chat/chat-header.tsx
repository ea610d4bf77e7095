/** The conversation's title, its menu, and the health pill. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { conversationQuery } from "@/api/conversations";
import { ListButton } from "@/components/ui/list-button";
import { useShell } from "@/components/hooks/shell-context";
import { Tag } from "@/components/ui/tag";
import type { View } from "@/events/reducer";
import { texts } from "@/texts";
import classes from "./chat-header.module.css";
import { ChatMenu } from "./header/chat-menu";
import { ChatTitle } from "./header/chat-title";
import { permissionsIn } from "./permissions";

interface Props {
  id: string | null;
  view: View | null;
  pill?: ReactNode;
}

export function ChatHeader({ id, view, pill }: Props) {
  return (
    <header className={classes.header}>
      <ListButton />
      {id === null ? <NewChat pill={pill} /> : <ExistingHeader id={id} view={view} pill={pill} />}
    </header>
  );
}

/** The first message adds the menu next to the pill, which does not move then. */
function NewChat({ pill }: { pill: ReactNode }) {
  return (
    <>
      <h1 className={classes.title}>{texts.chat.header.newChat}</h1>
      {pill}
      <span className={classes.menuSpace} />
    </>
  );
}

function ExistingHeader({ id, view, pill }: { id: string; view: View | null; pill: ReactNode }) {
  const { me } = useShell();
  const { data: conversation } = useQuery(conversationQuery(id));
  const [isRenaming, setRenaming] = useState(false);
  const state = view?.state.conversation;
  const title = state?.title ?? conversation?.title ?? "";
  const { header } = texts.chat;
  if (conversation === undefined) return <span className={classes.title} />;
  const current = { ...conversation, title, version: Math.max(conversation.version, state?.edited ?? 0) };
  const may = permissionsIn(conversation, me);
  const archivedAt = state === undefined ? conversation.archived_at : state.archived_at;
  return (
    <>
      <ChatTitle
        conversation={current}
        mayRename={may.change}
        isRenaming={isRenaming}
        onRename={setRenaming}
      />
      {archivedAt !== null && <Tag>{header.archived}</Tag>}
      {pill}
      <ChatMenu
        conversation={{ ...current, archived_at: archivedAt }}
        count={view?.state.counts.message_count ?? conversation.message_count}
        may={may}
        onRename={() => setRenaming(true)}
      />
    </>
  );
}
