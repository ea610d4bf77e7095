import { useNavigate } from "react-router";
import { type Conversation, useChangeConversation } from "@/api/conversations";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";

/** Archive or unarchive a conversation, with an undo. */
export function useArchive(conversation: Conversation, title: string, current: boolean): () => void {
  const { mutateAsync } = useChangeConversation();
  const navigate = useNavigate();
  const setArchived = async (version: number, archived: boolean): Promise<void> => {
    const changed = await mutateAsync({ id: conversation.id, version, body: { archived } });
    const confirmation = archived ? texts.list.wasArchived(title) : texts.list.wasUnarchived(title);
    const undo = () => void setArchived(changed.version, !archived).catch(toastProblem);
    toast(confirmation, { tone: "ok", action: { label: texts.common.undo, run: undo } });
  };
  return () => {
    const archived = conversation.archived_at === null;
    setArchived(conversation.version, archived)
      .then(() => archived && current && void navigate("/"))
      .catch(toastProblem);
  };
}
