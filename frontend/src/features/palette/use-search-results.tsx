/** Search results as palette items; recent chats without a query. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import {
  Archive,
  FolderTree,
  ListTree,
  type LucideIcon,
  MessageSquare,
  Pin,
  TextSearch,
  UserRound,
} from "lucide-react";
import { type NavigateFunction, useNavigate } from "react-router";
import { conversationsQuery } from "@/api/conversations";
import { type MessageMatch, searchQuery, type Snippet, type TextSearchResult } from "@/api/search";
import { HighlightedText, matchIn } from "@/components/markdown/highlighted-text";
import { useShell } from "@/components/hooks/shell-context";
import { Tag } from "@/components/ui/tag";
import { date } from "@/lib/format";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import { palette } from "@/texts/palette";
import type { Item, ItemGroup } from "./items";

const MAX_RECENT = 5;
const words = palette;

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
  return enabled ? [{ name: palette.recent, items: newest.map((one) => conversationItem(one, "", go)) }] : [];
}

export function useSearchResults(query: string) {
  const go = useNavigateAndClose();
  const search = useQuery(searchQuery(query));
  const navigate = useNavigate();
  const inDrawer = useOpenInDrawer();
  const found = search.isLoading || !query ? undefined : search.data;
  const groups: ItemGroup[] = found
    ? [
        { name: words.chats, items: found.conversations.map((one) => conversationItem(one, query, go)) },
        { name: words.memories, items: found.memories.map((one) => memoryItem(one, navigate)) },
        { name: words.userMemory, items: found.user_memory.map((one) => userMemoryItem(one, navigate)) },
        { name: words.pins, items: found.pins.map((one) => pinItem(one, inDrawer)) },
        { name: words.summaries, items: found.summary_lines.map((one, at) => lineItem(one, at, inDrawer)) },
        { name: words.messages, items: found.messages.map((one) => messageItem(one, go)) },
      ]
    : [];
  return { groups, error: search.error, searching: search.isFetching };
}

type Go = (id: string, index?: number) => void;

function useNavigateAndClose(): Go {
  const navigate = useNavigate();
  return (id, index) => void navigate(index === undefined ? `/c/${id}` : `/c/${id}?m=${index}`);
}

/** Pins and summaries are in the drawer of their chat. */
function useOpenInDrawer(): (id: string) => void {
  const navigate = useNavigate();
  const { setDrawerOpen } = useShell();
  return (id) => {
    setDrawerOpen(true);
    void navigate(`/c/${id}`);
  };
}

function memoryItem(
  { id, uri, snippet }: TextSearchResult["memories"][number],
  navigate: NavigateFunction,
): Item {
  return {
    ...foundItem(`memory-${id}`, FolderTree, snippet, uri),
    run: () => void navigate(`/memory/n/${id}`),
  };
}

function userMemoryItem(
  { id, key, is_active: isActive, snippet }: TextSearchResult["user_memory"][number],
  navigate: NavigateFunction,
): Item {
  return {
    ...foundItem(`user-memory-${id}`, UserRound, snippet, isActive ? key : words.off(key)),
    run: () => void navigate(`/memory/always/${id}`),
  };
}

function pinItem(
  { id, conversation_id, title, snippet }: TextSearchResult["pins"][number],
  open: (id: string) => void,
): Item {
  return {
    ...foundItem(`pin-${id}`, Pin, snippet, title || texts.list.untitled),
    run: () => open(conversation_id),
  };
}

function lineItem(
  { conversation_id, field, title, snippet }: TextSearchResult["summary_lines"][number],
  at: number,
  open: (id: string) => void,
): Item {
  const name = drawerLists.summary.fields[field];
  return {
    ...foundItem(
      `line-${conversation_id}-${at}`,
      ListTree,
      snippet,
      words.lineOf(name, title || texts.list.untitled),
    ),
    run: () => open(conversation_id),
  };
}

function foundItem(id: string, Icon: LucideIcon, { text, match }: Snippet, detail: string) {
  return { id, Icon, label: <HighlightedText text={text} match={match} />, detail, isDetailBelow: true };
}

function conversationItem({ id, title, archived_at, updated_at }: RecentItem, query: string, go: Go): Item {
  const shown = title || texts.list.untitled;
  return {
    id: `chat-${id}`,
    Icon: archived_at === null ? MessageSquare : Archive,
    label: <HighlightedText text={shown} match={matchIn(shown, query)} />,
    detail: archived_at === null ? date(updated_at) : <Tag>{palette.archived}</Tag>,
    run: () => go(id),
  };
}

function messageItem(result: MessageMatch, go: Go): Item {
  const { conversation_id, message_id, index, title, snippet, match } = result;
  return {
    id: `message-${message_id}`,
    Icon: TextSearch,
    label: <HighlightedText text={snippet} match={match} />,
    detail: palette.messageOf(index, title || texts.list.untitled),
    isDetailBelow: true,
    run: () => go(conversation_id, index),
  };
}
