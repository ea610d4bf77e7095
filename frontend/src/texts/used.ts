/** What a reply used: the chip below it, and the lists of the memories and messages that were retrieved for it. */

import { messageNumber } from "./message-number";
import { count, plural } from "./plural";

const message = (index: number, name: string) =>
  name === "" ? `message ${messageNumber(index)}` : `message ${messageNumber(index)}, ${name}`;

export const used = {
  chip: (many: number) => `${plural(many, "memory", "memories")} used`,
  title: "Used for this reply",
  lastReply: "Retrieved for the last reply",
  loading: "Loading…",
  notLoaded: "Couldn't load what was used.",
  memory: "Open the memory",
  details: "Details",
  chance: (chance: number) => `${Math.round(chance * 100)}% chance of being relevant`,
  message,
  messageOf: (chat: string, index: number, name: string) =>
    `${chat === "" ? "another chat" : `“${chat}”`}, ${message(index, name)}`,
  layers: {
    L0_identity: "in your profile",
    L1_global_prefs: "in your preferences",
    L2_topic: "among the topics",
    L3_entity: "among the entities",
  } as Record<string, string>,
  changed: "changed since",
  superseded: "no longer true",
  archived: "archived",
  score: (score: number) => `score ${score.toFixed(2)}`,
  similarity: (share: number) => `${Math.round(share * 100)}% similar`,
  tokens: (many: number) => `≈ ${plural(many, "token")}`,
  scoreIs:
    "Score: how well it matches the question by words, meaning and context, times how recently it was used. The best comes first.",
  unavailable: (many: number) =>
    many === 1
      ? "1 more is not shown: it was deleted since, or belongs to somebody else."
      : `${count(many)} more are not shown: they were deleted since, or belong to somebody else.`,
  identity: "Who you are",
  preferences: "Preference",
  topic: "Topic",
  entity: "Entity",
};
