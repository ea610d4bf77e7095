/** Thread and composer of a new or existing chat. */

import type { View } from "@/events/reducer";
import { NewChat, type Welcome } from "./new-chat";
import { ExistingChat } from "./existing-chat";

/** A message to scroll to; `requestId` distinguishes repeated requests for the same one. */
export interface MessageTarget {
  index: number;
  requestId: number;
}

export interface ChatProps {
  id: string | null;
  view: View | null;
  target?: MessageTarget | null;
  welcome?: Welcome;
  /** Whether a new chat is temporary. */
  isTemporary?: boolean;
  onTemporary?: (isTemporary: boolean) => void;
  /** Open the comparison of a compaction. */
  onCompare?: (runId: string) => void;
}

const NO_WELCOME: Welcome = () => null;

export function Chat({ id, view, target = null, onCompare, ...start }: ChatProps) {
  const { welcome = NO_WELCOME, isTemporary = false, onTemporary = () => undefined } = start;
  return id === null ? (
    <NewChat {...{ welcome, isTemporary, onTemporary }} />
  ) : (
    <ExistingChat key={id} id={id} view={view} target={target} onCompare={onCompare} />
  );
}
