/** The list of what waits, with the chosen item, the selected ones and the filters. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { type InboxFilters, type InboxItem, inboxQuery, NO_FILTERS } from "@/api/inbox";
import { INBOX, itemPath } from "../routes";

export function useWaiting() {
  const { itemId } = useParams();
  const navigate = useNavigate();
  const [filters, setFilters] = useState<InboxFilters>(NO_FILTERS);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const query = useInfiniteQuery(inboxQuery(filters));
  const items = query.data?.pages.flatMap((page) => page.data) ?? [];
  const placeOf = (id: string | undefined) =>
    Math.max(
      0,
      items.findIndex((item) => item.id === id),
    );
  const place = placeOf(itemId);
  /** The item that keys are for: several may be pressed before the page shows it. */
  const targetRef = useRef(itemId);
  useEffect(() => {
    targetRef.current = itemId;
  }, [itemId]);
  const show = (item: InboxItem | undefined) => {
    if (item === undefined) return;
    targetRef.current = item.id;
    void navigate(itemPath(item.id), { replace: itemId !== undefined });
  };
  const leave = (ids: readonly string[]) => {
    setChosen((before) => new Set([...before].filter((id) => !ids.includes(id))));
    const rest = items.filter(({ id }) => !ids.includes(id));
    const next = items.slice(place).find(({ id }) => !ids.includes(id)) ?? rest.at(-1);
    if (itemId !== undefined)
      void navigate(next === undefined ? INBOX : itemPath(next.id), { replace: true });
  };
  return {
    query,
    items,
    place,
    current: items[place],
    /** Whether the address names an item, which a phone shows instead of the list. */
    isOpen: itemId !== undefined,
    filters,
    setFilters,
    selected: items.filter(({ id }) => chosen.has(id)),
    toggle: (id: string) => setChosen((before) => toggled(before, id)),
    clear: () => setChosen(new Set()),
    target: () => items[placeOf(targetRef.current)],
    move: (by: number) => show(items[placeOf(targetRef.current) + by]),
    /** Go on with the next item after these were decided. */
    leave,
  };
}

export type Waiting = ReturnType<typeof useWaiting>;

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
