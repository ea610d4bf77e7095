/** Memories from a chat: loaded when somebody asks for them, or when a message has some. */

import { plural } from "./plural";

export const remembering = {
  why: "You stated it as a fact.",
  beingRead: "Being read for memories…",
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

  chip: ({
    made,
    waiting,
    forgotten,
    toChoose,
  }: Record<"made" | "waiting" | "forgotten" | "toChoose", number>) => {
    const waits = waiting === 1 ? "1 waits for you" : `${waiting} wait for you`;
    const parts = [
      made > 0 && `${made} remembered`,
      waiting > 0 && waits,
      forgotten > 0 && `${forgotten} forgotten`,
      toChoose > 0 && "Which one to forget?",
    ];
    return parts.filter(Boolean).join(", ");
  },
  forgottenTitle: "Forgotten because of this message",
  whichTitle: "Which one should be forgotten?",
  forget: "Forget this one",
  forgetThis: (statement: string) => `Forget this one: ${statement}`,
  isForgotten: "Forgotten",
  again: "Remembered again",
  replaced: "Replaced:",
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
