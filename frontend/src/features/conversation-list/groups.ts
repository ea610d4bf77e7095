/** Group chats by their last activity; the order is the server's, newest first. */

import type { Conversation } from "@/api/conversations";
import { DEMO_EXTERNAL_ID } from "@/lib/demo-conversation";

export type GroupName = "sample" | "today" | "yesterday" | "week" | "earlier";

export interface Group {
  name: GroupName;
  conversations: Conversation[];
}

const DAY_MS = 86_400_000;

export function groupByAge(conversations: Conversation[], now: Date): Group[] {
  const groups: Group[] = [];
  for (const conversation of conversations) {
    const name = conversations.length === 1 && isSample(conversation) ? "sample" : groupOf(conversation, now);
    const last = groups.at(-1);
    if (last?.name === name) last.conversations.push(conversation);
    else groups.push({ name, conversations: [conversation] });
  }
  return groups;
}

export function isSample({ external_id }: Conversation): boolean {
  return external_id === DEMO_EXTERNAL_ID;
}

function groupOf({ active_at }: Conversation, now: Date): GroupName {
  const days = (midnight(now) - midnight(new Date(active_at))) / DAY_MS;
  if (days < 0.5) return "today";
  if (days < 1.5) return "yesterday";
  return days < 7.5 ? "week" : "earlier";
}

function midnight(moment: Date): number {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}
