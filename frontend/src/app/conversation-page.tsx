/** A conversation or the start of a new one: header, thread, and the Summary Drawer next to them. */

import { useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { conversationQuery } from "@/api/conversations";
import { useShell } from "@/components/hooks/shell-context";
import { useTitle } from "@/components/hooks/use-title";
import { useLive } from "@/events/live";
import { Chat } from "@/features/chat/chat";
import { ChatHeader } from "@/features/chat/chat-header";
import { EmptyPill, HealthPill } from "@/features/summary-drawer/health-pill";
import { useCompactShortcut } from "@/features/summary-drawer/use-compact-key";
import { FirstRun } from "@/features/tour/first-run";
import classes from "./conversation-page.module.css";
import { SummaryDrawer } from "./lazy-panels";
import { useMessageTarget } from "./use-message-target";

export function ConversationPage() {
  const { conversationId } = useParams();
  return conversationId === undefined ? (
    <NewConversation />
  ) : (
    <OpenConversation key={conversationId} id={conversationId} />
  );
}

function NewConversation() {
  const { me } = useShell();
  const [isTemporary, setTemporary] = useState(false);
  useTitle(undefined);
  return (
    <div className={classes.column}>
      <ChatHeader id={null} view={null} pill={me.features?.ui && <EmptyPill isTemporary={isTemporary} />} />
      <Chat
        id={null}
        view={null}
        welcome={(send) => <FirstRun onSend={send} />}
        isTemporary={isTemporary}
        onTemporary={setTemporary}
      />
    </div>
  );
}

function OpenConversation({ id }: { id: string }) {
  const view = useLive(id);
  const { me, drawerOpen: open, setDrawerOpen: setOpen } = useShell();
  const [target, showMessage] = useMessageTarget();
  const { data: conversation } = useQuery(conversationQuery(id));
  useTitle(view?.state.conversation.title);
  const [compared, setCompared] = useState<{ runId: string } | null>(null);
  const compare = (runId: string) => {
    setCompared({ runId });
    setOpen(true);
  };
  useHotkeys([["mod+J", () => setOpen(!open)]], []);
  useCompactShortcut(id, me.scopes.includes("write"));
  const pill = me.features?.ui ? (
    <HealthPill
      view={view}
      open={open}
      onToggle={() => setOpen(!open)}
      isTemporary={conversation?.temporary === true}
    />
  ) : null;
  return (
    <>
      <div className={classes.column}>
        <ChatHeader id={id} view={view} pill={pill} />
        <Chat id={id} view={view} target={target} onCompare={compare} />
      </div>
      {open && me.features?.ui && (
        <SummaryDrawer
          id={id}
          view={view}
          onClose={() => setOpen(false)}
          onShowMessage={showMessage}
          compare={compared}
          onMissing={() => setOpen(false)}
          onRetry={() => setOpen(true)}
        />
      )}
    </>
  );
}
