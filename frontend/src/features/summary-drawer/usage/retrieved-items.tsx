/** What was retrieved for the message that waits for its reply, or else for the last reply. */

import { useQuery } from "@tanstack/react-query";
import type { Context } from "@/api/context";
import { usedItemsQuery } from "@/api/used-items";
import { UsedItems, type UsedItemShown } from "@/components/memory/used-items";
import { shownItem } from "@/components/memory/used-notes";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import { used } from "@/texts/used";
import { useDrawer } from "../drawer-context";
import { Item } from "./item";
import classes from "./layer-items.module.css";

interface Props {
  pack: Context;
  onClose: () => void;
}

export function RetrievedItems({ pack, onClose }: Props) {
  const { view } = useDrawer();
  const lastReply = view?.state.messages.findLast(({ role }) => role === "assistant");
  if (pack.retrieved.length > 0)
    return <ItemList items={pack.retrieved.map(retrievedItem)} onClose={onClose} />;
  if (lastReply === undefined || lastReply.used_count === 0)
    return <Item text={texts.drawer.usage.nothingIn} />;
  return <OfReply messageId={lastReply.id} onClose={onClose} />;
}

function OfReply({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  const { id } = useDrawer();
  const { data, isError } = useQuery(usedItemsQuery(id, messageId));
  if (data === undefined) return <Item text={isError ? used.notLoaded : used.loading} />;
  return (
    <ItemList
      title={used.lastReply}
      items={data.items.map(shownItem)}
      unavailable={data.unavailable}
      onClose={onClose}
    />
  );
}

interface ListProps {
  title?: string;
  items: UsedItemShown[];
  unavailable?: number;
  onClose: () => void;
}

function ItemList({ title, items, unavailable = 0, onClose }: ListProps) {
  const { showMessage } = useDrawer();
  const show = (index: number) => {
    onClose();
    showMessage(index);
  };
  return (
    <li>
      {title !== undefined && <p className={classes.about}>{title}</p>}
      <UsedItems
        items={items}
        unavailable={unavailable}
        messageLink={(index, label) => <TextButton onClick={() => show(index)}>{label}</TextButton>}
      />
    </li>
  );
}

/** The author is part of a message's origin. */
function retrievedItem(item: Context["retrieved"][number]): UsedItemShown {
  const { correction, kind, origin, text } = item;
  const uri = kind === "memory" ? origin : "";
  return { ...item, quote: text, uri, name: "", notes: correction === "" ? [] : [correction] };
}
