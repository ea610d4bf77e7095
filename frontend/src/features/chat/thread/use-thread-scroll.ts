/** Virtualization and scrolling: the thread opens at the end and follows new messages if the reader is there. */

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
  /** Rows that stay mounted when they are out of view, because they have the focus or a question. */
  pinned: readonly (number | null)[];
}

export function useThreadScroll({ scroller, count, waiting, pinned }: Options) {
  const pinnedRows = pinned.filter((row) => row !== null && row >= 0 && row < count).join();
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
    rangeExtractor: useCallback((range: Range) => withPinned(range, pinnedRows), [pinnedRows]),
    paddingStart: EDGE_PX,
    paddingEnd: EDGE_PX,
    useAnimationFrameWithResizeObserver: false,
  });
  const { isAway, isAtEnd } = useDistanceFromEnd(scroller);
  const toEnd = useCallback(() => virtualizer.scrollToEnd(), [virtualizer]);
  useStickToEndOnResize(scroller, isAtEnd, toEnd);

  useLayoutEffect(toEnd, [toEnd]);
  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd();
  }, [count, isAtEnd, toEnd]);
  const previousWaiting = useRef(waiting);
  useLayoutEffect(() => {
    if (waiting > previousWaiting.current) toEnd();
    previousWaiting.current = waiting;
  }, [waiting, toEnd]);

  const seen = useSeenCount(count, isAway);
  const rows = virtualizer.getVirtualItems().map(({ index }) => index);
  const pageList = pagesOf(rows, count).join();
  const pages = useMemo(() => pageList.split(",").map(Number), [pageList]);
  const first = virtualizer.range?.startIndex ?? count;
  return { virtualizer, pages, first, isAway, hasNews: count > seen, toEnd };
}

function withPinned(range: Range, pinned: string): number[] {
  const rows = pinned === "" ? [] : pinned.split(",").map(Number);
  return [...new Set([...defaultRangeExtractor(range), ...rows])].sort((one, other) => one - other);
}

/** Whether the reader is away from the newest message, after scrolling up or jumping. */
function useDistanceFromEnd(scroller: RefObject<HTMLDivElement | null>) {
  const [isAway, setAway] = useState(false);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      const distance = element.scrollHeight - element.scrollTop - element.clientHeight;
      isAtEnd.current = distance <= NEAR_END_PX;
      setAway(distance > element.clientHeight / 2);
    };
    element.addEventListener("scroll", measure, { passive: true });
    return () => element.removeEventListener("scroll", measure);
  }, [scroller]);
  return { isAway, isAtEnd };
}

/** Keep the newest message in view while the composer grows. */
function useStickToEndOnResize(
  scroller: RefObject<HTMLElement | null>,
  isAtEnd: RefObject<boolean>,
  toEnd: () => void,
) {
  useEffect(() => {
    if (scroller.current === null) return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) toEnd();
    });
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [scroller, isAtEnd, toEnd]);
}

/** The message count when the reader was last at the end. */
function useSeenCount(count: number, isAway: boolean): number {
  const [seen, setSeen] = useState(count);
  if (!isAway && seen !== count) setSeen(count);
  return seen;
}
