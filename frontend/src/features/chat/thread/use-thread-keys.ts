/** Keys on a message. Single letters work only on the message itself, and can be switched off. */

import { type RefObject, useEffect } from "react";
import type { Message } from "@/api/messages";
import { kept } from "@/lib/local-storage";
import { type MessageActions, useActions } from "../actions";
import { isRegenerated } from "../message/message-tools";
import { indexOf } from "./use-jump";
import type { MessageAt } from "./use-messages";

export const SINGLE_KEYS = "single-keys";

interface Options {
  scroller: RefObject<HTMLDivElement | null>;
  messageAt: MessageAt;
  count: number;
  goTo: (index: number) => void;
  toEnd: () => void;
}

export function useThreadKeys({ scroller, messageAt, count, goTo, toEnd }: Options): void {
  const actions = useActions();
  useEffect(() => {
    const element = scroller.current;
    const onKey = (event: KeyboardEvent) => {
      const index = focusedMessage(event);
      if (index === null) return;
      const to = neighbour(event.key, index, count);
      const message = messageAt(index);
      const deed = to === null && message !== undefined ? deedOf(event.key, message, actions) : null;
      if (to === null && deed === null) return;
      event.preventDefault();
      if (deed !== null && event.repeat) return;
      if (to === count - 1) toEnd();
      if (to !== null) goTo(to);
      deed?.();
    };
    element?.addEventListener("keydown", onKey);
    return () => element?.removeEventListener("keydown", onKey);
  }, [scroller, messageAt, count, goTo, toEnd, actions]);
}

function focusedMessage(event: KeyboardEvent): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
  const isMessage = event.target instanceof HTMLElement && event.target.dataset.messageIndex !== undefined;
  return isMessage ? indexOf(event.target) : null;
}

function neighbour(key: string, index: number, count: number): number | null {
  if (key === "ArrowUp") return Math.max(0, index - 1);
  if (key === "ArrowDown") return Math.min(count - 1, index + 1);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}

function deedOf(key: string, message: Message, actions: MessageActions): (() => void) | null {
  if (!kept<boolean>(SINGLE_KEYS, true) || message.status === "streaming") return null;
  const { change } = actions.may;
  const deeds: Record<string, ((message: Message) => void) | undefined> = {
    p: change ? actions.pin : undefined,
    x: change ? actions.exclude : undefined,
    c: actions.copy,
    r: change && isRegenerated(message) ? actions.regenerate : undefined,
  };
  const deed = deeds[key.toLowerCase()];
  return deed === undefined ? null : () => deed(message);
}
