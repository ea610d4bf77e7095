/** The drawer's left edge, resized by dragging or arrow keys. */

import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { texts } from "@/texts";
import classes from "./frame.module.css";
import { MIN_WIDTH, MAX_WIDTH, type Width } from "./use-width";

const STEP = 16;

export function ResizeHandle({ value, change }: Width) {
  const from = useRef<{ x: number; width: number } | null>(null);
  const start = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width: value };
  };
  const move = ({ clientX }: PointerEvent<HTMLElement>) => {
    if (from.current !== null) change(from.current.width + from.current.x - clientX);
  };
  const end = () => {
    from.current = null;
  };
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const direction = { ArrowLeft: value + STEP, ArrowRight: value - STEP, Home: MIN_WIDTH, End: MAX_WIDTH }[
      event.key
    ];
    if (direction === undefined) return;
    event.preventDefault();
    change(direction);
  };
  return (
    // A movable separator is an interactive control, which the rule does not know.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={classes.handle}
      role="separator"
      aria-orientation="vertical"
      aria-label={texts.drawer.resize}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      aria-valuenow={value}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={step}
    />
  );
}
