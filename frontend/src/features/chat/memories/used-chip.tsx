/** Below a reply: how many memories and messages were retrieved for it; opens a list of them. */

import { useQuery } from "@tanstack/react-query";
import { BookOpen } from "lucide-react";
import { Link } from "react-router";
import type { Message } from "@/api/messages";
import { usedItemsQuery } from "@/api/used-items";
import { UsedItems } from "@/components/memory/used-items";
import { shownItem } from "@/components/memory/used-notes";
import { used } from "@/texts/used";
import { useMessageActions } from "../actions";
import { ChipPopover } from "./chip-popover";
import classes from "./memory-chip.module.css";

interface Props {
  message: Message;
  isCurrent: boolean;
}

export function UsedChip({ message, isCurrent }: Props) {
  if (message.used_count === 0 || message.content === "") return null;
  return (
    <ChipPopover
      icon={BookOpen}
      label={used.chip(message.used_count)}
      title={used.title}
      isCurrent={isCurrent}
      focusTitle
    >
      <UsedList messageId={message.id} />
    </ChipPopover>
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
