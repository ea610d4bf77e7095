/** The sheet's two sizes, and the swipes between them and away. */

import { type PointerEvent, useRef, useState } from "react";

export type SheetSize = "half" | "full";

/** A shorter way is a slip of the finger. */
const SWIPE_PX = 56;

export function useSheet(onClose: () => void) {
  const [size, setSize] = useState<SheetSize>("half");
  const [dragged, setDragged] = useState(0);
  const from = useRef<number | null>(null);
  const turn = () => setSize(size === "half" ? "full" : "half");
  const letGo = () => {
    from.current = null;
    setDragged(0);
    if (dragged < -SWIPE_PX) setSize("full");
    if (dragged > SWIPE_PX && size === "full") setSize("half");
    if (dragged > SWIPE_PX && size === "half") onClose();
  };
  const drag = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.isPrimary) from.current = event.clientY;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (from.current === null) return;
      const moved = event.clientY - from.current;
      if (Math.abs(moved) > 4) event.currentTarget.setPointerCapture(event.pointerId);
      setDragged(moved);
    },
    onPointerUp: letGo,
    onPointerCancel: letGo,
  };
  return { size, dragged, turn, drag };
}
