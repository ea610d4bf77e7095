/** Keyboard shortcuts on a message. Single letters work only on the message itself and can be disabled. */

import { type RefObject, useEffect } from "react";
import type { Message } from "@/api/messages";
import { readStored } from "@/lib/local-storage";
import { type MessageActions, useMessageActions } from "../actions";
import { canRegenerate } from "../message/message-tools";
import { indexOf } from "./use-jump";
import type { MessageAt } from "./use-messages";

export const SINGLE_KEY_SHORTCUTS = "single-keys";

interface Options {
  scroller: RefObject<HTMLDivElement | null>;
  messageAt: MessageAt;
  count: number;
  goTo: (index: number) => void;
  toEnd: () => void;
}

export function useThreadKeys({ scroller, messageAt, count, goTo, toEnd }: Options): void {
  const actions = useMessageActions();
  useEffect(() => {
    const element = scroller.current;
    const onKey = (event: KeyboardEvent) => {
      const index = focusedMessage(event);
      if (index === null) return;
      const to = neighborIndex(event.key, index, count);
      const message = messageAt(index);
      const action = to === null && message !== undefined ? actionOf(event.key, message, actions) : null;
      if (to === null && action === null) return;
      event.preventDefault();
      if (action !== null && event.repeat) return;
      if (to === count - 1) toEnd();
      if (to !== null) goTo(to);
      action?.();
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

function neighborIndex(key: string, index: number, count: number): number | null {
  if (key === "ArrowUp") return Math.max(0, index - 1);
  if (key === "ArrowDown") return Math.min(count - 1, index + 1);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}

function actionOf(key: string, message: Message, actions: MessageActions): (() => void) | null {
  if (!readStored<boolean>(SINGLE_KEY_SHORTCUTS, true) || message.status === "streaming") return null;
  const { change } = actions.may;
  const byKey: Record<string, ((message: Message) => void) | undefined> = {
    p: change ? actions.pin : undefined,
    x: change ? actions.exclude : undefined,
    c: actions.copy,
    r: change && canRegenerate(message) ? actions.regenerate : undefined,
  };
  const action = byKey[key.toLowerCase()];
  return action === undefined ? null : () => action(message);
}
