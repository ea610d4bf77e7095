/** What is known of single messages beside what they say: pins, and whether their reply broke off here. */

import { useMemo } from "react";
import type { Message } from "@/api/messages";
import type { View } from "@/events/reducer";
import type { RunningTurn } from "../sending/reply-streams";

export interface Marks {
  isPinned: (message: Message) => boolean;
  isBroken: (message: Message) => boolean;
}

export function useThreadMarks(view: View | null, turn: RunningTurn | null): Marks {
  const pins = view?.state.pins;
  const broken = turn?.state === "broken" ? turn.reply?.id : undefined;
  return useMemo(() => {
    const pinned = new Set(pins?.map((pin) => pin.message_id));
    return { isPinned: ({ id }) => pinned.has(id), isBroken: ({ id }) => id === broken };
  }, [pins, broken]);
}
