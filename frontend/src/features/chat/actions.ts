/** What can be done with a message, for the thread's parts, which only show it. */

import { createContext, useContext } from "react";
import type { Message } from "@/api/messages";
import type { Compaction } from "@/api/compactions";
import type { ExclusionPreview } from "@/api/exclusions";
import type { May } from "./permissions";

export interface MessageActions {
  may: May;
  pin: (message: Message) => void;
  exclude: (message: Message) => void;
  /** After it was asked what would go with it. */
  confirmExclude: (message: Message, preview: ExclusionPreview) => void;
  cancelExclude: () => void;
  copy: (message: Message) => void;
  edit: (message: Message) => void;
  cancelEdit: () => void;
  sendEdit: (message: Message, content: string, onSent: () => void) => void;
  regenerate: (message: Message) => void;
  fork: (message: Message) => void;
  retry: () => void;
  undoCompaction: (run: Compaction) => void;
  stopCompaction: (runId: string) => void;
  /** Undefined where nothing can show it. */
  compare: ((run: Compaction) => void) | undefined;
  discard: (externalId: string) => void;
  takeBack: (externalId: string) => void;
}

const nothing = () => undefined;

/** Where there are no messages to do anything with. */
export const NO_ACTIONS: MessageActions = {
  may: { change: true, fork: false, archive: false },
  pin: nothing,
  exclude: nothing,
  confirmExclude: nothing,
  cancelExclude: nothing,
  copy: nothing,
  edit: nothing,
  cancelEdit: nothing,
  sendEdit: nothing,
  regenerate: nothing,
  fork: nothing,
  retry: nothing,
  undoCompaction: nothing,
  stopCompaction: nothing,
  compare: undefined,
  discard: nothing,
  takeBack: nothing,
};

export const ActionsContext = createContext<MessageActions | null>(null);

export function useActions(): MessageActions {
  const actions = useContext(ActionsContext);
  if (actions === null) throw new Error("outside of a thread");
  return actions;
}
