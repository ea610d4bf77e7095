/** Ask before a message is deleted permanently. */

import type { Message } from "@/api/messages";
import { Confirm } from "@/components/feedback/confirm";
import { texts } from "@/texts";
import { useMessageActions } from "../actions";
import { useIsInFlight } from "../in-flight";

interface Props {
  message: Message;
  onEnd: () => void;
}

export function DeleteConfirm({ message, onEnd }: Props) {
  const actions = useMessageActions();
  const isPending = useIsInFlight(message.id);
  return (
    <Confirm
      title={texts.chat.deleteTitle}
      detail={texts.chat.deleteDetail}
      actionLabel={texts.chat.deleteNow}
      isPending={isPending}
      onConfirm={() => actions.delete(message, onEnd)}
      onCancel={onEnd}
    />
  );
}
