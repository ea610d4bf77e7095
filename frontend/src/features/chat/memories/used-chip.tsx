/** Below a reply: how many memories and messages were retrieved for it; opens a list of them. */

import { Popover } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { BookOpen } from "lucide-react";
import { useId, useState } from "react";
import { Link } from "react-router";
import type { Message } from "@/api/messages";
import { usedItemsQuery } from "@/api/used-items";
import { UsedItems } from "@/components/memory/used-items";
import { shownItem } from "@/components/memory/used-notes";
import { used } from "@/texts/used";
import { useMessageActions } from "../actions";
import classes from "./memory-chip.module.css";

interface Props {
  message: Message;
  isCurrent: boolean;
}

export function UsedChip({ message, isCurrent }: Props) {
  const [isOpen, setOpen] = useState(false);
  const title = useId();
  if (message.used_count === 0 || message.content === "") return null;
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
          type="button"
          className={classes.chip}
          tabIndex={isCurrent ? 0 : -1}
          onClick={() => setOpen(!isOpen)}
        >
          <BookOpen size={14} strokeWidth={1.75} aria-hidden="true" />
          {used.chip(message.used_count)}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-labelledby={title}>
        {/* It has the focus while the list is loading. */}
        <p id={title} className={classes.title} tabIndex={-1} data-autofocus>
          {used.title}
        </p>
        <UsedList messageId={message.id} />
      </Popover.Dropdown>
    </Popover>
  );
}

function UsedList({ messageId }: { messageId: string }) {
  const { conversationId } = useMessageActions();
  const { data, isError } = useQuery(usedItemsQuery(conversationId, messageId));
  if (data === undefined) return <p className={classes.item}>{isError ? used.notLoaded : used.loading}</p>;
  return (
    <UsedItems
      items={data.items.map(shownItem)}
      unavailable={data.unavailable}
      messageLink={(index, label) => <Link to={`/c/${conversationId}?m=${index}`}>{label}</Link>}
    />
  );
}
