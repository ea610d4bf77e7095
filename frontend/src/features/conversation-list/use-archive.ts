import { useNavigate } from "react-router";
import { type Conversation, useChangeConversation } from "@/api/conversations";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";

/** Into the archive, or out of it; for ten seconds one click takes it back. */
export function useArchive(conversation: Conversation, title: string, current: boolean): () => void {
  const { mutateAsync } = useChangeConversation();
  const navigate = useNavigate();
  const put = async (version: number, archived: boolean): Promise<void> => {
    const changed = await mutateAsync({ id: conversation.id, version, body: { archived } });
    const said = archived ? texts.list.wasArchived(title) : texts.list.wasUnarchived(title);
    const undo = () => void put(changed.version, !archived).catch(toastProblem);
    toast(said, { tone: "ok", action: { label: texts.common.undo, run: undo } });
  };
  return () => {
    const archived = conversation.archived_at === null;
    put(conversation.version, archived)
      .then(() => archived && current && void navigate("/"))
      .catch(toastProblem);
  };
}
