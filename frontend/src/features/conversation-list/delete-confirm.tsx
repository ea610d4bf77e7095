import { useNavigate } from "react-router";
import { type Conversation, useDeleteConversation } from "@/api/conversations";
import { Confirm } from "@/components/feedback/confirm";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";

interface Props {
  conversation: Conversation;
  title: string;
  current: boolean;
  onEnd: () => void;
}

/** Ask before a conversation is deleted permanently. */
export function DeleteConfirm({ conversation, title, current, onEnd }: Props) {
  const { mutateAsync, isPending } = useDeleteConversation();
  const navigate = useNavigate();
  const confirm = async () => {
    await mutateAsync(conversation.id);
    toast(texts.list.wasDeleted(title), { tone: "ok" });
    if (current) void navigate("/");
  };
  return (
    <Confirm
      title={texts.list.deleteTitle(title)}
      detail={texts.list.deleteDetail}
      actionLabel={texts.list.deleteNow}
      isPending={isPending}
      onConfirm={() => void confirm().catch(toastProblem).finally(onEnd)}
      onCancel={onEnd}
    />
  );
}
