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
  /** Open the comparison of a compaction. */
  onCompare?: (runId: string) => void;
}

const NO_WELCOME: Welcome = () => null;

export function Chat({ id, view, target = null, welcome = NO_WELCOME, onCompare }: ChatProps) {
  return id === null ? (
    <NewChat welcome={welcome} />
  ) : (
    <ExistingChat key={id} id={id} view={view} target={target} onCompare={onCompare} />
  );
}
