/** The drawer's section on what was remembered from the chat. */

import { plural } from "./plural";

const OFF = {
  temporary: "A temporary chat learns nothing.",
  engine: "The engine is off in this workspace.",
  workspace: "Remembering from chats is off in this workspace.",
  person: "Remembering from your chats is off in your settings.",
  conversation: "This chat is not learned from.",
};

export const remembered = {
  title: "Remembered from this chat",
  none: "Nothing yet.",
  now: "Remember now",
  again: "Try again",
  /** Why the last run failed, and when the next one starts. */
  failed: (detail: string, gaveUp: boolean, at: string) =>
    gaveUp ? `${detail} Next attempt: ${at}.` : `${detail} It is tried again soon.`,
  /** How far it was read, or why it is not. */
  state: (offBy: keyof typeof OFF | "", unread: number, read: number) => {
    if (offBy !== "") return OFF[offBy];
    if (unread === 0) return read === 0 ? "" : "All messages were read.";
    return `${plural(unread, "message", "messages")} not read yet.`;
  },
};
