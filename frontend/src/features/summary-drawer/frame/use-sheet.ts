/** The sheet's two heights, and the swipes that change or close it. */

import { type PointerEvent, useRef, useState } from "react";

export type SheetSize = "half" | "full";

/** Shorter drags are ignored. */
const SWIPE_PX = 56;

export function useSheet(onClose: () => void) {
  const [size, setSize] = useState<SheetSize>("half");
  const [offset, setOffset] = useState(0);
  const start = useRef<number | null>(null);
  const toggle = () => setSize(size === "half" ? "full" : "half");
  const endDrag = () => {
    start.current = null;
    setOffset(0);
    if (offset < -SWIPE_PX) setSize("full");
    if (offset > SWIPE_PX && size === "full") setSize("half");
    if (offset > SWIPE_PX && size === "half") onClose();
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.isPrimary) start.current = event.clientY;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (start.current === null) return;
      const moved = event.clientY - start.current;
      if (Math.abs(moved) > 4) event.currentTarget.setPointerCapture(event.pointerId);
      setOffset(moved);
    },
    onPointerUp: endDrag,
    onPointerCancel: endDrag,
  };
  return { size, offset, toggle, handlers };
}
