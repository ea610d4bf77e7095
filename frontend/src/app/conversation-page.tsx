/** One conversation, or the place where a new one begins: header, thread, and the Summary Drawer beside them. */

import { useHotkeys } from "@mantine/hooks";
import { useState } from "react";
import { useParams } from "react-router";
import { useShell } from "@/components/hooks/shell-context";
import { useTitle } from "@/components/hooks/use-title";
import { useLive } from "@/events/live";
import { Chat } from "@/features/chat/chat";
import { ChatHeader } from "@/features/chat/chat-header";
import { HealthPill } from "@/features/summary-drawer/health-pill";
import { useCompactKey } from "@/features/summary-drawer/use-compact-key";
import { FirstRun } from "@/features/tour/first-run";
import classes from "./conversation-page.module.css";
import { SummaryDrawer } from "./lazy-panels";
import { usePlace } from "./use-message-target";

export function ConversationPage() {
  const { conversationId } = useParams();
  return conversationId === undefined ? (
    <NewConversation />
  ) : (
    <OpenConversation key={conversationId} id={conversationId} />
  );
}

function NewConversation() {
  useTitle(undefined);
  return (
    <div className={classes.column}>
      <ChatHeader id={null} view={null} />
      <Chat id={null} view={null} welcome={<FirstRun />} />
    </div>
  );
}

function OpenConversation({ id }: { id: string }) {
  const view = useLive(id);
  const { me, drawerOpen: open, setDrawerOpen: turn } = useShell();
  const [place, show] = usePlace();
  useTitle(view?.state.conversation.title);
  const [compared, setCompared] = useState<{ runId: string } | null>(null);
  const compare = (runId: string) => {
    setCompared({ runId });
    turn(true);
  };
  useHotkeys([["mod+J", () => turn(!open)]], []);
  useCompactKey(id, me.scopes.includes("write"));
  const pill = me.features?.ui ? <HealthPill view={view} open={open} onToggle={() => turn(!open)} /> : null;
  return (
    <>
      <div className={classes.column}>
        <ChatHeader id={id} view={view} pill={pill} />
        <Chat id={id} view={view} place={place} onCompare={compare} />
      </div>
      {open && me.features?.ui && (
        <SummaryDrawer
          id={id}
          view={view}
          onClose={() => turn(false)}
          onShowMessage={show}
          compare={compared}
          onMissing={() => turn(false)}
          onAgain={() => turn(true)}
        />
      )}
    </>
  );
}
