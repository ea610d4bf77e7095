/** A conversation that exists: found first, then shown. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { conversationQuery } from "@/api/conversations";
import { Problem } from "@/api/problems";
import { Loading } from "@/components/feedback/loading";
import { Trouble } from "@/components/feedback/error-state";
import type { View } from "@/events/reducer";
import { texts } from "@/texts";
import type { Place } from "./chat";
import { Conversing } from "./conversation-view";

interface Props {
  id: string;
  view: View | null;
  place: Place | null;
  onCompare: ((runId: string) => void) | undefined;
}

export function OpenChat(props: Props) {
  const { data: conversation, error, isPending, refetch } = useQuery(conversationQuery(props.id));
  const navigate = useNavigate();
  const { common } = texts;
  const isGone = error instanceof Problem && [403, 404].includes(error.status);
  if (isGone) {
    const action = { label: common.toChats, run: () => void navigate("/") };
    return (
      <Trouble
        title={common.notFoundTitle}
        detail={common.notFoundDetail}
        code={error.code}
        action={action}
      />
    );
  }
  if (isPending) return <Loading />;
  if (conversation === undefined) {
    const action = { label: common.retry, run: () => void refetch() };
    return <Trouble title={common.unreachable} detail={texts.chat.unreachableDetail} action={action} />;
  }
  return <Conversing {...props} conversation={conversation} />;
}
