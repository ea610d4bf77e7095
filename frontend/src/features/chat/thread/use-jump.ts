/** Going to a message: it is scrolled to, also when its page has to be fetched first, and focused. */

import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useState } from "react";
import type { Place } from "../chat";
import type { MessageAt } from "./use-messages";

const FRAMED_MS = 4000;

interface Aim {
  index: number;
  asked: number;
  align: "center" | "auto";
}

interface Options {
  scroller: RefObject<HTMLDivElement | null>;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  messageAt: MessageAt;
  count: number;
  place: Place | null;
}

export function useJump({ scroller, virtualizer, messageAt, count, place }: Options) {
  const [aim, setAim] = useState<Aim | null>(null);
  const [framed, setFramed] = useState<number | null>(null);
  const [known, setKnown] = useState<Place | null>(null);
  if (place !== known) {
    setKnown(place);
    if (place !== null && place.index < count) {
      setAim({ ...place, align: "center" });
      setFramed(place.index);
    }
  }
  const isLoaded = aim !== null && messageAt(aim.index) !== undefined;

  useEffect(() => {
    if (aim === null) return;
    virtualizer.scrollToIndex(aim.index, { align: aim.align });
    if (!isLoaded) return;
    return whenThere(scroller, aim.index, () => setAim(null));
  }, [aim, isLoaded, virtualizer, scroller]);

  useEffect(() => {
    if (framed === null) return;
    const timer = setTimeout(() => setFramed(null), FRAMED_MS);
    return () => clearTimeout(timer);
  }, [framed, known]);

  const goTo = useCallback((index: number) => setAim({ index, asked: Date.now(), align: "auto" }), []);
  return { framed, goTo };
}

/** The message that Tab reaches: the one that had the focus last, else the newest. */
export function useCurrent(scroller: RefObject<HTMLDivElement | null>, count: number): number {
  const [chosen, setChosen] = useState<number | null>(null);
  useEffect(() => {
    const element = scroller.current;
    const focused = ({ target }: FocusEvent) => {
      const index = indexOf(target);
      if (index !== null) setChosen(index);
    };
    element?.addEventListener("focusin", focused);
    return () => element?.removeEventListener("focusin", focused);
  }, [scroller]);
  return Math.min(chosen ?? count - 1, count - 1);
}

/** A row is there some frames after it was scrolled to. */
function whenThere(scroller: RefObject<HTMLDivElement | null>, index: number, done: () => void): () => void {
  let tries = 20;
  const look = () => {
    const element = scroller.current?.querySelector<HTMLElement>(`[data-message-index="${index}"]`);
    if (element) {
      element.focus({ preventScroll: true });
      done();
    } else if (tries-- > 0) {
      frame = requestAnimationFrame(look);
    }
  };
  let frame = requestAnimationFrame(look);
  return () => cancelAnimationFrame(frame);
}

export function indexOf(target: EventTarget | null): number | null {
  const message = target instanceof Element ? target.closest<HTMLElement>("[data-message-index]") : null;
  return message === null ? null : Number(message.dataset.messageIndex);
}
