/** Memories from a chat: loaded when somebody asks for them, or when a message has some. */

import { plural } from "./plural";

const WHY: Record<string, string> = {
  prefers: "You said what you prefer.",
  asks_for: "You asked for it.",
  standing_order: "You said that it holds from now on.",
  forbids: "You said what to do always or never.",
  cannot: "You said what does not suit you.",
  habit: "You said what you usually do.",
  schedule: "You said when it happens regularly.",
  learned: "You said what works.",
  decided: "You told of a decision.",
  changed: "You said that something changed.",
  dated: "You gave a date.",
  solved: "You told how a problem was solved.",
  role_of: "You said who somebody is or what they do.",
  ours: "You said something about your people or things.",
  self: "You said something about yourself.",
  named: "You gave the name of something.",
  uses: "You said what you use.",
  quantity: "You gave a number.",
  fixed: "You said what must stay as it is.",
};

const SIGNALS: Record<string, string> = {
  remember: "You asked to remember it.",
  always: "You said what to do always or never.",
  decided: "You told of a decision.",
  pattern: "You said what works.",
  cause: "You named the cause of a problem.",
};

const SIGNAL = "signal:";

/** A rule in words; rules of other versions and models have no words of their own. */
export function whyRemembered(rule: string): string {
  const words = rule.startsWith(SIGNAL) ? SIGNALS[rule.slice(SIGNAL.length)] : WHY[rule];
  return words ?? "You stated it as a fact.";
}

export const remembering = {
  reading: "Reading the chat for memories…",
  takesLong: "This takes a while. It goes on in the background.",
  made: (made: number, waiting: number) => {
    const parts = [made > 0 ? memories(made) : "", waiting > 0 ? `${waiting} to confirm` : ""];
    return `Remembered: ${parts.filter((part) => part !== "").join(", ")}`;
  },
  known: (many: number) => `Nothing new: ${memories(many)} known already`,
  nothing: {
    nothing_new: "No new messages since the last time",
    nothing_found: "Nothing to remember in this chat",
    all_known: "Nothing new: all of it is known already",
    all_refused: "Nothing certain enough to remember in this chat",
    switched_off: "Learning from chats was switched off",
  },
  openMemory: "Open Memory",
  learns: "This chat is learned from again",
  learnsNothing: "Nothing more is learned from this chat",

  chip: (made: number, waiting: number) => {
    const waits = waiting === 1 ? "1 waits for you" : `${waiting} wait for you`;
    return [made > 0 ? `${made} remembered` : "", waiting > 0 ? waits : ""].filter(Boolean).join(", ");
  },
  listTitle: "Remembered from this message",
  waits: "waits for you",
  superseded: "replaced since",
  conflicts: (many: number) => `conflicts with ${plural(many, "memory", "memories")}`,
  decide: "Decide in the inbox",
  forgotten: "Not remembered any more",

  temporary: "Temporary chat",
  temporaryIs: "Nothing is learned from it, and other chats don't find it.",
};

function memories(many: number): string {
  return plural(many, "memory", "memories");
}
