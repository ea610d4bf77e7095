/** An item that a reply used, as the list shows it. */

import type { UsedItem } from "@/api/used-items";
import { used } from "@/texts/used";
import type { UsedItemShown } from "./used-items";

export function shownItem(item: UsedItem): UsedItemShown {
  return { ...item, notes: notesOf(item) };
}

function notesOf({ layer, is_changed, valid_to, archived_at }: UsedItem): string[] {
  const inLayer = used.layers[layer];
  return [
    ...(inLayer === undefined ? [] : [inLayer]),
    ...(is_changed ? [used.changed] : []),
    ...(valid_to !== null && new Date(valid_to) <= new Date() ? [used.superseded] : []),
    ...(archived_at === null ? [] : [used.archived]),
  ];
}
