/** Below a message: how many memories were made from it; opens a list of them, each with its reason and an undo. */

import { useQuery } from "@tanstack/react-query";
import { Brain, Inbox } from "lucide-react";
import { useRef } from "react";
import { type ExtractedMemory, extractedMemoriesQuery } from "@/api/conversation-memories";
import { type Message, PAGE_SIZE } from "@/api/messages";
import { remembering } from "@/texts/remembering";
import { useMessageActions } from "../actions";
import { ChipPopover } from "./chip-popover";
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
  const memories = data?.filter((one) => one.message_id === message.id && one.state !== "archived") ?? [];
  const waiting = memories.filter((one) => one.state === "proposed").length;
  if (memories.length === 0) return null;
  /** The last one takes the chip away, and with it the focus. */
  const onForgotten = () => {
    if (memories.length === 1) chip.current?.closest<HTMLElement>("[data-message-index]")?.focus();
  };
  return (
    <ChipPopover
      icon={waiting === memories.length ? Inbox : Brain}
      label={remembering.chip(memories.length - waiting, waiting)}
      title={remembering.listTitle}
      isCurrent={isCurrent}
      chipRef={chip}
    >
      <ul className={classes.list}>
        {memories.map((memory: ExtractedMemory) => (
          <MemoryItem key={memory.id} memory={memory} onForgotten={onForgotten} />
        ))}
      </ul>
    </ChipPopover>
  );
}
