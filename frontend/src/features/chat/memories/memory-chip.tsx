/** Below a message: what was remembered or forgotten because of it; opens a list, each item with its reason and an undo. */

import { useQuery } from "@tanstack/react-query";
import { Brain, Inbox } from "lucide-react";
import { useRef } from "react";
import { type ExtractedMemory, extractedMemoriesQuery, isOfForgetting } from "@/api/conversation-memories";
import { type Message, PAGE_SIZE } from "@/api/messages";
import { remembering } from "@/texts/remembering";
import { useMessageActions } from "../actions";
import { ChipPopover } from "./chip-popover";
import { ForgetItem } from "./forget-item";
import classes from "./memory-chip.module.css";
import { MemoryItem } from "./memory-item";

interface Props {
  message: Message;
  isCurrent: boolean;
}

export function MemoryChip({ message, isCurrent }: Props) {
  const { conversationId, may } = useMessageActions();
  const chip = useRef<HTMLButtonElement>(null);
  const page = Math.floor(message.index / PAGE_SIZE);
  const { data } = useQuery({
    ...extractedMemoriesQuery(conversationId, page),
    enabled: may.remember && conversationId !== "",
  });
  const { made, forgotten, toChoose, isChosen } = changesBy(
    data?.filter((one) => one.message_id === message.id) ?? [],
  );
  const waiting = made.filter((one) => one.state === "proposed").length;
  const many = made.length + forgotten.length + toChoose.length;
  const gone = forgotten.filter((one) => one.outcome === "forgotten").length;
  if (many === 0) return null;
  /** The last one takes the chip away, and with it the focus. */
  const onGone = () => {
    if (made.length + gone === 1 && toChoose.length === 0)
      chip.current?.closest<HTMLElement>("[data-message-index]")?.focus();
  };
  return (
    <ChipPopover
      icon={waiting === many ? Inbox : Brain}
      label={remembering.chip({
        made: made.length - waiting,
        waiting,
        forgotten: forgotten.length,
        toChoose: isChosen ? 0 : toChoose.length,
      })}
      title={titleOf(made.length, forgotten.length, toChoose.length)}
      isCurrent={isCurrent}
      chipRef={chip}
    >
      <ul className={classes.list}>
        {made.map((memory) => (
          <MemoryItem key={memory.id} memory={memory} onForgotten={onGone} />
        ))}
        {[...forgotten, ...toChoose].map((memory) => (
          <ForgetItem key={memory.id} memory={memory} onGone={onGone} />
        ))}
      </ul>
    </ChipPopover>
  );
}

function titleOf(made: number, forgotten: number, toChoose: number): string {
  if (toChoose > 0) return remembering.whichTitle;
  return made === 0 && forgotten > 0 ? remembering.forgottenTitle : remembering.listTitle;
}

/** What a message changed. Of several memories that it may ask to forget, those that are archived were chosen. */
function changesBy(all: ExtractedMemory[]) {
  const asked = all.filter((one) => one.outcome === "to_forget");
  const chosen = asked.filter((one) => one.state === "archived");
  const forgotten = all.filter((one) => one.outcome === "forgotten" && one.state === "archived");
  return {
    made: all.filter((one) => !isOfForgetting(one) && one.state !== "archived"),
    forgotten: [...forgotten, ...chosen],
    toChoose: asked.filter((one) => one.state !== "archived"),
    isChosen: chosen.length > 0,
  };
}
