/** Which answers of the API an event makes old. */

import { keys } from "@/api/keys";
import type { EventFrame } from "./types";

type Key = readonly unknown[];

/** Stands for every conversation. */
export const EVERY = "*";

const FOLDED = ["messages", "summary", "compactions", "context", "series", "exclusions"] as const;
const OF_EVENT: Record<string, readonly (keyof typeof keys)[]> = {
  MessagesStored: ["messages", "context", "series"],
  MessageUpdated: ["messages"],
  MessagesExcluded: FOLDED,
  TurnStarted: ["messages"],
  TurnFinished: ["messages", "context", "series"],
  CompactionQueued: ["compactions"],
  CompactionStarted: ["compactions"],
  CompactionFailed: ["compactions"],
  CompactionDropped: ["compactions"],
  ContextCompacted: FOLDED,
  CompactionUndone: FOLDED,
  SummaryChanged: ["summary", "context"],
  PinsChanged: ["pins", "context"],
};

/** The list shows how many live tokens each conversation has. */
const COUNTED = new Set([
  "MessagesStored",
  "MessagesExcluded",
  "TurnFinished",
  "ContextCompacted",
  "CompactionUndone",
]);

/** After these today's spending is not what it was thought to be. */
const OF_SPENDING = new Set(["ceiling", "no_price", "recall_only"]);

export function touched({ name, conversation_id: id, data }: EventFrame): Key[] {
  if (name === "UserMemoryChanged") return [keys.userMemory, keys.context(EVERY)];
  if (name === "MemoryChanged") return [keys.memory];
  if (name === "ConversationsChanged") return [keys.conversations];
  if (name === "ConversationChanged") return [keys.conversations, ["conversation", id]];
  const listed = COUNTED.has(name) ? [keys.conversations] : [];
  const person = OF_SPENDING.has(data.error_code ?? "") ? [keys.me] : [];
  return [...listed, ...person, ...(OF_EVENT[name] ?? []).map((part) => ["conversation", id, part])];
}

export function isUnder(queryKey: Key, key: Key): boolean {
  return key.every((part, place) => part === EVERY || part === queryKey[place]);
}
