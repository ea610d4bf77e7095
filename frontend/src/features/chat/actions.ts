/** The actions on messages, as a context for the parts of the thread. */

import { createContext, useContext } from "react";
import type { Message } from "@/api/messages";
import type { Compaction } from "@/api/compactions";
import type { ExclusionPreview } from "@/api/exclusions";
import type { Permissions } from "./permissions";

export interface MessageActions {
  conversationId: string;
  may: Permissions;
  pin: (message: Message) => void;
  exclude: (message: Message) => void;
  /** After the user confirmed the preview. */
  confirmExclude: (message: Message, preview: ExclusionPreview) => void;
  cancelExclude: () => void;
  copy: (message: Message) => void;
  /** After the user confirmed it. */
  delete: (message: Message, onEnd: () => void) => void;
  edit: (message: Message) => void;
  cancelEdit: () => void;
  sendEdit: (message: Message, content: string, onSent: () => void) => void;
  regenerate: (message: Message) => void;
  fork: (message: Message) => void;
  retry: () => void;
  undoCompaction: (run: Compaction) => void;
  stopCompaction: (runId: string) => void;
  /** Undefined where there is no drawer to show the comparison. */
  compare: ((run: Compaction) => void) | undefined;
  discard: (externalId: string) => void;
  moveToComposer: (externalId: string) => void;
}

const noop = () => undefined;

/** For a new chat, which has no messages yet. */
export const NO_ACTIONS: MessageActions = {
  conversationId: "",
  may: { change: true, fork: false, archive: false, delete: false, remember: false },
  pin: noop,
  exclude: noop,
  confirmExclude: noop,
  cancelExclude: noop,
  copy: noop,
  delete: noop,
  edit: noop,
  cancelEdit: noop,
  sendEdit: noop,
  regenerate: noop,
  fork: noop,
  retry: noop,
  undoCompaction: noop,
  stopCompaction: noop,
  compare: undefined,
  discard: noop,
  moveToComposer: noop,
};

export const ActionsContext = createContext<MessageActions | null>(null);

export function useMessageActions(): MessageActions {
  const actions = useContext(ActionsContext);
  if (actions === null) throw new Error("outside of a thread");
  return actions;
}
