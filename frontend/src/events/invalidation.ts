/** Which answers of the API an event makes old. */

import { keys } from "@/api/keys";
import { PAGE_SIZE } from "@/api/messages";
import type { EventFrame, EventName, EventOf } from "./types";

export type Key = readonly unknown[];
type Outdated<Name extends EventName> = (event: EventOf<Name>) => Key[];

/** Stands for every conversation. */
export const EVERY = "*";

/** After these today's spending is not what it was thought to be. */
const OF_SPENDING = new Set(["ceiling", "no_price", "recall_only"]);

/** The list shows how many live tokens each conversation has. */
const LIST = keys.conversations;

function parts(...names: (keyof typeof keys)[]) {
  return ({ conversation_id: id }: { conversation_id: string }) =>
    names.map((name) => ["conversation", id, name]);
}

const excluded = parts("messages", "summary", "compactions", "context", "series", "exclusions", "used");
const aroundRuns = parts("summary", "compactions", "context", "series", "exclusions");
const packed = parts("context", "series");
const compactions = parts("compactions");
/** Only the live view shows it. */
const nothing = () => [];

/** By event; the compiler names one that is missing here. */
const OUTDATED: { readonly [Name in EventName]: Outdated<Name> } = {
  MessagesStored: (event) => [
    LIST,
    ...pages(event, event.data.first_index, event.data.last_index),
    ...packed(event),
  ],
  MessageUpdated: changedMessages,
  MessagesExcluded: (event) => [LIST, ...excluded(event)],
  TurnStarted: changedMessages,
  TurnProgressed: nothing,
  TurnFinished: (event) => [LIST, ...spending(event), ...changedMessages(event), ...packed(event)],
  HealthChanged: nothing,
  CompactionQueued: compactions,
  CompactionStarted: compactions,
  CompactionStaged: nothing,
  CompactionFailed: compactions,
  CompactionDropped: compactions,
  ContextCompacted: (event) => [LIST, ...compactedMessages(event), ...aroundRuns(event)],
  CompactionUndone: (event) => [LIST, ...compactedMessages(event), ...aroundRuns(event)],
  SummaryChanged: parts("summary", "context"),
  PinsChanged: parts("pins", "context"),
  ConversationChanged: ({ conversation_id: id }) => [LIST, ["conversation", id]],
  ConversationsChanged: () => [LIST],
  /** One's own role may be the one that changed. */
  MembersChanged: () => [keys.members, keys.invitations, keys.me],
  UserMemoryChanged: () => [keys.userMemory, keys.context(EVERY)],
  MemoriesExtracted: parts("memories"),
  /** The context has the profile, and what was retrieved quotes memories. */
  MemoryChanged: () => [keys.memory, keys.memories(EVERY), keys.context(EVERY), keys.used(EVERY, EVERY)],
};

/** A newer server may send events that this page does not know. */
export function touched(event: EventFrame): Key[] {
  const outdated = OUTDATED as Partial<Record<string, (event: EventFrame) => Key[]>>;
  return outdated[event.name]?.(event) ?? [];
}

type WithMessages = EventOf<"MessageUpdated" | "TurnStarted" | "TurnFinished">;

/** Events list changed messages only if they are among the newest. */
function changedMessages(event: WithMessages): Key[] {
  const indexes = event.data.messages.map(({ index }) => index);
  if (indexes.length === 0) return [keys.messages(event.conversation_id)];
  return pages(event, Math.min(...indexes), Math.max(...indexes));
}

/** A run may have compacted no message. */
function compactedMessages(event: EventOf<"ContextCompacted" | "CompactionUndone">): Key[] {
  const { compaction } = event.data;
  if (compaction === null) return [keys.messages(event.conversation_id)];
  const { compacted_from: from, compacted_through: through } = compaction;
  return from === null || through === null ? [] : pages(event, from, through);
}

function pages({ conversation_id: id }: { conversation_id: string }, from: number, through: number): Key[] {
  const first = Math.floor(from / PAGE_SIZE);
  const count = Math.floor(through / PAGE_SIZE) - first + 1;
  return Array.from({ length: count }, (_, offset) => keys.page(id, first + offset));
}

function spending({ data }: EventOf<"TurnFinished">): Key[] {
  return OF_SPENDING.has(data.error_code) ? [keys.me] : [];
}

export function isUnder(queryKey: Key, key: Key): boolean {
  return key.every((part, place) => part === EVERY || part === queryKey[place]);
}
