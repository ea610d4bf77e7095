/** Which rows are in sight, and how the thread moves: to the end when it opens and with what comes, if one is there. */

import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { pagesOf } from "./use-messages";

const ROW_PX = 110;
const NEAR_END_PX = 80;
const EDGE_PX = 24;

interface Options {
  scroller: RefObject<HTMLDivElement | null>;
  count: number;
  waiting: number;
  /** Rows that stay in the page when they are out of sight: those that hold the focus, or a question. */
  held: readonly (number | null)[];
}

export function useThreadScroll({ scroller, count, waiting, held }: Options) {
  const heldRows = held.filter((row) => row !== null && row >= 0 && row < count).join();
  // eslint-disable-next-line react-hooks/incompatible-library -- Nothing here is memoised by a compiler.
  const virtualizer = useVirtualizer({
    count: count + 1,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (index === count ? 1 : ROW_PX),
    getItemKey: useCallback((index: number) => (index === count ? "tail" : index), [count]),
    initialOffset: () => count * ROW_PX,
    anchorTo: "end",
    scrollEndThreshold: NEAR_END_PX,
    overscan: 4,
    rangeExtractor: useCallback((range: Range) => withHeld(range, heldRows), [heldRows]),
    paddingStart: EDGE_PX,
    paddingEnd: EDGE_PX,
    useAnimationFrameWithResizeObserver: false,
  });
  const { isAway, isAtEnd } = useEnd(scroller);
  const toEnd = useCallback(() => virtualizer.scrollToEnd(), [virtualizer]);
  useResized(scroller, isAtEnd, toEnd);

  useLayoutEffect(toEnd, [toEnd]);
  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd();
  }, [count, isAtEnd, toEnd]);
  const waited = useRef(waiting);
  useLayoutEffect(() => {
    if (waiting > waited.current) toEnd();
    waited.current = waiting;
  }, [waiting, toEnd]);

  const seen = useSeen(count, isAway);
  const rows = virtualizer.getVirtualItems().map(({ index }) => index);
  const wanted = pagesOf(rows, count).join();
  const pages = useMemo(() => wanted.split(",").map(Number), [wanted]);
  const first = virtualizer.range?.startIndex ?? count;
  return { virtualizer, pages, first, isAway, hasNews: count > seen, toEnd };
}

function withHeld(range: Range, held: string): number[] {
  const rows = held === "" ? [] : held.split(",").map(Number);
  return [...new Set([...defaultRangeExtractor(range), ...rows])].sort((one, other) => one - other);
}

/** Whether the reader is away from the newest message: they scrolled up, or came to another place. */
function useEnd(scroller: RefObject<HTMLDivElement | null>) {
  const [isAway, setAway] = useState(false);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = () => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight;
      isAtEnd.current = left <= NEAR_END_PX;
      setAway(left > element.clientHeight / 2);
    };
    element.addEventListener("scroll", look, { passive: true });
    return () => element.removeEventListener("scroll", look);
  }, [scroller]);
  return { isAway, isAtEnd };
}

/** While the composer grows, the newest message stays in sight. */
function useResized(scroller: RefObject<HTMLElement | null>, isAtEnd: RefObject<boolean>, toEnd: () => void) {
  useEffect(() => {
    if (scroller.current === null) return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) toEnd();
    });
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [scroller, isAtEnd, toEnd]);
}

/** How many messages there were when the reader was last at the end. */
function useSeen(count: number, isAway: boolean): number {
  const [seen, setSeen] = useState(count);
  if (!isAway && seen !== count) setSeen(count);
  return seen;
}
