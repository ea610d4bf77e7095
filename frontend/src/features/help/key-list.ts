import { texts } from "@/texts";

export interface KeyGroup {
  title: string;
  hint?: string;
  /** All keyboard shortcuts by group. */
  keys: readonly (readonly [deed: string, ...keys: string[]])[];
}

const words = texts.help;

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
];
