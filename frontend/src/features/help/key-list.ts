import { help } from "@/texts/help";
import { inbox as inboxTexts } from "@/texts/inbox";

export interface KeyGroup {
  title: string;
  hint?: string;
  /** All keyboard shortcuts by group. */
  keys: readonly (readonly [deed: string, ...keys: string[]])[];
}

const words = help;
const inbox = inboxTexts.keys;

export const GROUPS: readonly KeyGroup[] = [
  {
    title: words.everywhere,
    keys: [
      [words.palette, "mod+K"],
      [words.newChat, "mod+shift+O"],
      [words.keys, "mod+/"],
      [words.close, "Esc"],
    ],
  },
  {
    title: words.inChat,
    keys: [
      [words.send, "Enter"],
      [words.newLine, "shift+Enter"],
      [words.editLast, "↑"],
      [words.stop, "Esc"],
      [words.drawer, "mod+J"],
      [words.compact, "mod+shift+K"],
    ],
  },
  {
    title: words.onMessage,
    hint: words.onMessageHint,
    keys: [
      [words.move, "↑", "↓"],
      [words.ends, "Home", "End"],
      [words.pin, "P"],
      [words.exclude, "X"],
      [words.copy, "C"],
      [words.regenerate, "R"],
    ],
  },
  {
    title: inbox.title,
    keys: [
      [inbox.move, "J", "K"],
      [inbox.approve, "A"],
      [inbox.replace, "S"],
      [inbox.edit, "E"],
      [inbox.merge, "M"],
      [inbox.decline, "R"],
      [inbox.later, "L"],
      [inbox.select, "X"],
      [inbox.source, "O"],
      [inbox.undo, "Z"],
      [inbox.help, "?"],
    ],
  },
];
