/** Which answers of the API an event makes old. */

import { keys } from "@/api/keys";
import type { EventFrame, EventName, EventOf } from "./types";

type Key = readonly unknown[];
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

const folded = parts("messages", "summary", "compactions", "context", "series", "exclusions");
const written = parts("messages", "context", "series");
const messages = parts("messages");
const compactions = parts("compactions");
/** Only the live view shows it. */
const nothing = () => [];

/** By event; the compiler names one that is missing here. */
const OUTDATED: { readonly [Name in EventName]: Outdated<Name> } = {
  MessagesStored: (event) => [LIST, ...written(event)],
  MessageUpdated: messages,
  MessagesExcluded: (event) => [LIST, ...folded(event)],
  TurnStarted: messages,
  TurnProgressed: nothing,
  TurnFinished: (event) => [LIST, ...spending(event), ...written(event)],
  HealthChanged: nothing,
  CompactionQueued: compactions,
  CompactionStarted: compactions,
  CompactionStaged: nothing,
  CompactionFailed: compactions,
  CompactionDropped: compactions,
  ContextCompacted: (event) => [LIST, ...folded(event)],
  CompactionUndone: (event) => [LIST, ...folded(event)],
  SummaryChanged: parts("summary", "context"),
  PinsChanged: parts("pins", "context"),
  ConversationChanged: ({ conversation_id: id }) => [LIST, ["conversation", id]],
  ConversationsChanged: () => [LIST],
  UserMemoryChanged: () => [keys.userMemory, keys.context(EVERY)],
  MemoryChanged: () => [keys.memory],
};

/** A newer server may send events that this page does not know. */
export function touched(event: EventFrame): Key[] {
  const outdated = OUTDATED as Partial<Record<string, (event: EventFrame) => Key[]>>;
  return outdated[event.name]?.(event) ?? [];
}

function spending({ data }: EventOf<"TurnFinished">): Key[] {
  return OF_SPENDING.has(data.error_code) ? [keys.me] : [];
}

export function isUnder(queryKey: Key, key: Key): boolean {
  return key.every((part, place) => part === EVERY || part === queryKey[place]);
}
