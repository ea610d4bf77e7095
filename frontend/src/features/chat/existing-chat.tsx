/** An existing conversation: load it, then show it. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { conversationQuery } from "@/api/conversations";
import { Problem } from "@/api/problems";
import { Loading } from "@/components/feedback/loading";
import { ErrorState } from "@/components/feedback/error-state";
import type { View } from "@/events/reducer";
import { texts } from "@/texts";
import type { MessageTarget } from "./chat";
import { ChatElsewhere } from "./chat-elsewhere";
import { ConversationView } from "./conversation-view";

interface Props {
  id: string;
  view: View | null;
  target: MessageTarget | null;
  onCompare: ((runId: string) => void) | undefined;
}

export function ExistingChat(props: Props) {
  const { data: conversation, error, isPending, refetch } = useQuery(conversationQuery(props.id));
  const navigate = useNavigate();
  const { common } = texts;
  const isMissing = error instanceof Problem && [403, 404].includes(error.status);
  if (isMissing) {
    const action = { label: common.toChats, run: () => void navigate("/") };
    const missing = (
      <ErrorState
        title={common.notFoundTitle}
        detail={common.notFoundDetail}
        code={error.code}
        action={action}
      />
    );
    return <ChatElsewhere id={props.id} missing={missing} />;
  }
  if (isPending) return <Loading />;
  if (conversation === undefined) {
    const action = { label: common.retry, run: () => void refetch() };
    return <ErrorState title={common.unreachable} detail={texts.chat.unreachableDetail} action={action} />;
  }
  return <ConversationView {...props} conversation={conversation} />;
}
