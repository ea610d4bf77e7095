/** Search results as palette items; recent chats without a query. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Archive, MessageSquare, TextSearch } from "lucide-react";
import { useNavigate } from "react-router";
import { conversationsQuery } from "@/api/conversations";
import { type MessageMatch, searchQuery } from "@/api/search";
import { HighlightedText, matchIn } from "@/components/markdown/highlighted-text";
import { Tag } from "@/components/ui/tag";
import { date } from "@/lib/format";
import { texts } from "@/texts";
import type { Item, ItemGroup } from "./items";

const MAX_RECENT = 5;

interface RecentItem {
  id: string;
  title: string;
  archived_at: string | null;
  updated_at: string;
}

export function useRecent(enabled: boolean): ItemGroup[] {
  const go = useNavigateAndClose();
  const { data } = useInfiniteQuery({ ...conversationsQuery(), enabled: enabled });
  const newest = data?.pages[0]?.data.slice(0, MAX_RECENT) ?? [];
  return enabled
    ? [{ name: texts.palette.recent, items: newest.map((one) => conversationItem(one, "", go)) }]
    : [];
}

export function useSearchResults(query: string) {
  const go = useNavigateAndClose();
  const search = useQuery(searchQuery(query));
  const { conversations = [], messages = [] } = (search.isLoading || !query ? undefined : search.data) ?? {};
  const groups: ItemGroup[] = [
    { name: texts.palette.chats, items: conversations.map((one) => conversationItem(one, query, go)) },
    { name: texts.palette.messages, items: messages.map((one) => messageItem(one, go)) },
  ];
  return { groups, error: search.error, searching: search.isFetching };
}

type Go = (id: string, index?: number) => void;

function useNavigateAndClose(): Go {
  const navigate = useNavigate();
  return (id, index) => void navigate(index === undefined ? `/c/${id}` : `/c/${id}?m=${index}`);
}

function conversationItem({ id, title, archived_at, updated_at }: RecentItem, query: string, go: Go): Item {
  const shown = title || texts.list.untitled;
  return {
    id: `chat-${id}`,
    Icon: archived_at === null ? MessageSquare : Archive,
    label: <HighlightedText text={shown} match={matchIn(shown, query)} />,
    detail: archived_at === null ? date(updated_at) : <Tag>{texts.palette.archived}</Tag>,
    run: () => go(id),
  };
}

function messageItem(result: MessageMatch, go: Go): Item {
  const { conversation_id, message_id, index, title, snippet, match } = result;
  return {
    id: `message-${message_id}`,
    Icon: TextSearch,
    label: <HighlightedText text={snippet} match={match} />,
    detail: texts.palette.messageOf(index, title || texts.list.untitled),
    isDetailBelow: true,
    run: () => go(conversation_id, index),
  };
}
