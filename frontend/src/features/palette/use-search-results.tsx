/** What the search found, as places to go; without a query the chats of late. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Archive, MessageSquare, TextSearch } from "lucide-react";
import { useNavigate } from "react-router";
import { conversationsQuery } from "@/api/conversations";
import { type FoundMessage, searchQuery } from "@/api/search";
import { Marked, matchIn } from "@/components/markdown/highlighted-text";
import { Tag } from "@/components/ui/tag";
import { date } from "@/lib/format";
import { texts } from "@/texts";
import type { Item, ItemGroup } from "./items";

const RECENT = 5;

interface Place {
  id: string;
  title: string;
  archived_at: string | null;
  updated_at: string;
}

export function useRecent(wanted: boolean): ItemGroup[] {
  const go = useGo();
  const { data } = useInfiniteQuery({ ...conversationsQuery(), enabled: wanted });
  const newest = data?.pages[0]?.data.slice(0, RECENT) ?? [];
  return wanted ? [{ name: texts.palette.recent, items: newest.map((one) => placeItem(one, "", go)) }] : [];
}

export function useFound(query: string) {
  const go = useGo();
  const search = useQuery(searchQuery(query));
  const { conversations = [], messages = [] } = (search.isLoading || !query ? undefined : search.data) ?? {};
  const groups: ItemGroup[] = [
    { name: texts.palette.chats, items: conversations.map((one) => placeItem(one, query, go)) },
    { name: texts.palette.messages, items: messages.map((one) => messageItem(one, go)) },
  ];
  return { groups, error: search.error, searching: search.isFetching };
}

type Go = (id: string, index?: number) => void;

function useGo(): Go {
  const navigate = useNavigate();
  return (id, index) => void navigate(index === undefined ? `/c/${id}` : `/c/${id}?m=${index}`);
}

function placeItem({ id, title, archived_at, updated_at }: Place, query: string, go: Go): Item {
  const shown = title || texts.list.untitled;
  return {
    id: `chat-${id}`,
    Icon: archived_at === null ? MessageSquare : Archive,
    label: <Marked text={shown} match={matchIn(shown, query)} />,
    detail: archived_at === null ? date(updated_at) : <Tag>{texts.palette.archived}</Tag>,
    run: () => go(id),
  };
}

function messageItem(found: FoundMessage, go: Go): Item {
  const { conversation_id, message_id, index, title, snippet, match } = found;
  return {
    id: `message-${message_id}`,
    Icon: TextSearch,
    label: <Marked text={snippet} match={match} />,
    detail: texts.palette.messageOf(index, title || texts.list.untitled),
    below: true,
    run: () => go(conversation_id, index),
  };
}
