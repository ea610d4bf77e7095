/** Scroll to a message, loading its page first if necessary, and focus it. */

import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useState } from "react";
import type { MessageTarget } from "../chat";
import type { MessageAt } from "./use-messages";

const HIGHLIGHT_MS = 4000;

interface ScrollRequest {
  index: number;
  requestId: number;
  align: "center" | "auto";
}

interface Options {
  scroller: RefObject<HTMLDivElement | null>;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  messageAt: MessageAt;
  count: number;
  target: MessageTarget | null;
}

export function useJump({ scroller, virtualizer, messageAt, count, target }: Options) {
  const [request, setRequest] = useState<ScrollRequest | null>(null);
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const [handled, setHandled] = useState<MessageTarget | null>(null);
  if (target !== handled) {
    setHandled(target);
    if (target !== null) {
      // The switcher of branches leads to a message that a fresh fork does not have yet.
      const index = Math.min(target.index, count - 1);
      setRequest({ ...target, index, align: "center" });
      setHighlighted(index);
    }
  }
  const isLoaded = request !== null && messageAt(request.index) !== undefined;

  useEffect(() => {
    if (request === null) return;
    virtualizer.scrollToIndex(request.index, { align: request.align });
    if (!isLoaded) return;
    return focusWhenRendered(scroller, request.index, () => setRequest(null));
  }, [request, isLoaded, virtualizer, scroller]);

  useEffect(() => {
    if (highlighted === null) return;
    const timer = setTimeout(() => setHighlighted(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlighted, handled]);

  const goTo = useCallback(
    (index: number) => setRequest({ index, requestId: Date.now(), align: "auto" }),
    [],
  );
  return { highlighted, goTo };
}

/** The index in the tab order: the message that had the focus last, otherwise the newest. */
export function useCurrentIndex(scroller: RefObject<HTMLDivElement | null>, count: number): number {
  const [lastFocused, setLastFocused] = useState<number | null>(null);
  useEffect(() => {
    const element = scroller.current;
    const onFocusIn = ({ target }: FocusEvent) => {
      const index = indexOf(target);
      if (index !== null) setLastFocused(index);
    };
    element?.addEventListener("focusin", onFocusIn);
    return () => element?.removeEventListener("focusin", onFocusIn);
  }, [scroller]);
  return Math.min(lastFocused ?? count - 1, count - 1);
}

/** Focus the row when it is rendered, a few frames after scrolling. */
function focusWhenRendered(
  scroller: RefObject<HTMLDivElement | null>,
  index: number,
  done: () => void,
): () => void {
  let attempts = 20;
  const check = () => {
    const element = scroller.current?.querySelector<HTMLElement>(`[data-message-index="${index}"]`);
    if (element) {
      element.focus({ preventScroll: true });
      done();
    } else if (attempts-- > 0) {
      frame = requestAnimationFrame(check);
    }
  };
  let frame = requestAnimationFrame(check);
  return () => cancelAnimationFrame(frame);
}

export function indexOf(target: EventTarget | null): number | null {
  const message = target instanceof Element ? target.closest<HTMLElement>("[data-message-index]") : null;
  return message === null ? null : Number(message.dataset.messageIndex);
}
