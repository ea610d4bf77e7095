/** Below a message: how many memories were made from it; opens a list of them, each with its reason and an undo. */

import { Popover } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Brain, Inbox } from "lucide-react";
import { useId, useRef, useState } from "react";
import { type ExtractedMemory, extractedMemoriesQuery } from "@/api/conversation-memories";
import { type Message, PAGE_SIZE } from "@/api/messages";
import { remembering } from "@/texts/remembering";
import { useMessageActions } from "../actions";
import classes from "./memory-chip.module.css";
import { MemoryItem } from "./memory-item";

interface Props {
  message: Message;
  isCurrent: boolean;
}

export function MemoryChip({ message, isCurrent }: Props) {
  const { conversationId, may } = useMessageActions();
  const [isOpen, setOpen] = useState(false);
  const title = useId();
  const chip = useRef<HTMLButtonElement>(null);
  const page = Math.floor(message.index / PAGE_SIZE);
  const { data } = useQuery({
    ...extractedMemoriesQuery(conversationId, page),
    enabled: may.remember && conversationId !== "",
  });
  const memories = data?.filter((one) => one.message_id === message.id && one.state !== "archived") ?? [];
  const waiting = memories.filter((one) => one.state === "proposed").length;
  if (memories.length === 0) return null;
  const Icon = waiting === memories.length ? Inbox : Brain;
  /** The last one takes the chip away, and with it the focus. */
  const onForgotten = () => {
    if (memories.length === 1) chip.current?.closest<HTMLElement>("[data-message-index]")?.focus();
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={380}
      withinPortal={false}
      trapFocus
      returnFocus
      classNames={{ dropdown: classes.dropdown ?? "" }}
    >
      <Popover.Target>
        <button
          ref={chip}
          type="button"
          className={classes.chip}
          tabIndex={isCurrent ? 0 : -1}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
          {remembering.chip(memories.length - waiting, waiting)}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-labelledby={title}>
        <p id={title} className={classes.title}>
          {remembering.listTitle}
        </p>
        <ul className={classes.list}>
          {memories.map((memory: ExtractedMemory) => (
            <MemoryItem key={memory.id} memory={memory} onForgotten={onForgotten} />
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
