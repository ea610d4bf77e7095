/** A memory that a message asked to forget, with an undo; or one of several that it may mean, with a button. */

import { Link } from "react-router";
import { type ExtractedMemory, useForgetting } from "@/api/conversation-memories";
import { toast, toastProblem } from "@/components/feedback/toast";
import { Tag } from "@/components/ui/tag";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import { remembering } from "@/texts/remembering";
import { useMessageActions } from "../actions";
import classes from "./memory-chip.module.css";

interface Props {
  memory: ExtractedMemory;
  onGone: () => void;
}

export function ForgetItem({ memory, onGone }: Props) {
  const { conversationId } = useMessageActions();
  const { mutateAsync: change, isPending } = useForgetting(conversationId);
  const isForgotten = memory.state === "archived";
  const act = async () => {
    await change({ id: memory.memory_id, action: isForgotten ? "restore" : "archive" });
    toast(isForgotten ? remembering.again : remembering.isForgotten, { tone: "ok" });
    if (isForgotten && memory.outcome === "forgotten") onGone();
  };
  return (
    <li className={classes.item}>
      <Link className={classes.statement} to={`/memory/n/${memory.memory_id}`}>
        {memory.statement}
      </Link>
      <p className={classes.actions}>
        {isForgotten && <Tag>{remembering.isForgotten}</Tag>}
        <TextButton
          disabled={isPending}
          aria-label={isForgotten ? undefined : remembering.forgetThis(memory.statement)}
          onClick={() => void act().catch(toastProblem)}
        >
          {isForgotten ? texts.common.undo : remembering.forget}
        </TextButton>
      </p>
    </li>
  );
}
