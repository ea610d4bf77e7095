/** One memory of a message: what it says, why and from which words it was made, and what can be done about it. */

import { Link } from "react-router";
import { type ExtractedMemory, useForget } from "@/api/conversation-memories";
import { toast, toastProblem } from "@/components/feedback/toast";
import { Tag } from "@/components/ui/tag";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import { messageNumber } from "@/texts/message-number";
import { remembering } from "@/texts/remembering";
import { useMessageActions } from "../actions";
import classes from "./memory-chip.module.css";

interface Props {
  memory: ExtractedMemory;
  onForgotten: () => void;
}

export function MemoryItem({ memory, onForgotten }: Props) {
  const { conversationId } = useMessageActions();
  const { mutateAsync: forget, isPending } = useForget(conversationId);
  const { change_id: changeId, memory_id, state } = memory;
  const undo = async (change_id: string) => {
    await forget({ memory_id, change_id });
    toast(remembering.forgotten, { tone: "ok" });
    onForgotten();
  };
  return (
    <li className={classes.item}>
      <Link className={classes.statement} to={`/memory/n/${memory_id}`}>
        {memory.statement}
      </Link>
      <blockquote className={classes.quote}>
        “{memory.quote}”{" "}
        <Link className={classes.source} to={`/c/${conversationId}?m=${memory.index}`}>
          {`#${messageNumber(memory.index)}`}
        </Link>
      </blockquote>
      <p className={classes.why}>{remembering.why}</p>
      {[...new Set(memory.replaced)].map((statement) => (
        <p key={statement} className={classes.why}>
          {remembering.replaced} <s>{statement}</s>
        </p>
      ))}
      <p className={classes.actions}>
        {state === "proposed" && <Tag tone="warn">{remembering.waits}</Tag>}
        {state === "superseded" && <Tag>{remembering.superseded}</Tag>}
        {memory.conflicts > 0 && <Tag tone="warn">{remembering.conflicts(memory.conflicts)}</Tag>}
        {state === "proposed" && <Link to={`/memory/inbox/${memory_id}`}>{remembering.decide}</Link>}
        {state === "accepted" && changeId !== null && (
          <TextButton disabled={isPending} onClick={() => void undo(changeId).catch(toastProblem)}>
            {texts.common.undo}
          </TextButton>
        )}
      </p>
    </li>
  );
}
