/** What the live state says of single messages: pins, and why a reply ended as it did. */

import { useMemo } from "react";
import type { Message } from "@/api/messages";
import type { View } from "@/events/reducer";
import { endingOf, type RunningTurn } from "../sending/turns-store";

export interface Marks {
  isPinned: (message: Message) => boolean;
  errorCode: (message: Message) => string;
  isBroken: (message: Message) => boolean;
}

export function useThreadMarks(view: View | null, turn: RunningTurn | null): Marks {
  const pins = view?.state.pins;
  const messages = view?.state.messages;
  const broken = turn?.state === "broken" ? turn.reply?.id : undefined;
  return useMemo(() => {
    const pinned = new Set(pins?.map((pin) => pin.message_id));
    const codes = new Map(messages?.map((message) => [message.id, message.error_code]));
    return {
      isPinned: ({ id }) => pinned.has(id),
      errorCode: ({ id }) => codes.get(id) ?? endingOf(id),
      isBroken: ({ id }) => id === broken,
    };
  }, [pins, messages, broken]);
}
