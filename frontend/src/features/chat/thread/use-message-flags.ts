/** Flags of messages that are not part of them: pinned, and whether their stream broke on this page. */

import { useMemo } from "react";
import type { Message } from "@/api/messages";
import type { View } from "@/events/reducer";
import type { RunningTurn } from "../sending/reply-streams";

export interface MessageFlags {
  isPinned: (message: Message) => boolean;
  isBroken: (message: Message) => boolean;
}

export function useMessageFlags(view: View | null, turn: RunningTurn | null): MessageFlags {
  const pins = view?.state.pins;
  const broken = turn?.state === "broken" ? turn.reply?.id : undefined;
  return useMemo(() => {
    const pinned = new Set(pins?.map((pin) => pin.message_id));
    return { isPinned: ({ id }) => pinned.has(id), isBroken: ({ id }) => id === broken };
  }, [pins, broken]);
}
