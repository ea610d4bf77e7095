/** Memories from a chat: loaded when somebody asks for them. */

import { plural } from "./plural";

export const remembering = {
  reading: "Reading the chat for memories…",
  made: (made: number, waiting: number) => {
    const parts = [made > 0 ? memories(made) : "", waiting > 0 ? `${waiting} to confirm` : ""];
    return `Remembered: ${parts.filter((part) => part !== "").join(", ")}`;
  },
  known: (many: number) => `Nothing new: ${memories(many)} known already`,
  nothing: {
    nothing_new: "No new messages since the last time",
    nothing_found: "Nothing to remember in this chat",
  },
  openMemory: "Open Memory",
};

function memories(many: number): string {
  return plural(many, "memory", "memories");
}
