/** The drawer's left edge: drag it, or move it by arrow keys. */

import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { texts } from "@/texts";
import classes from "./frame.module.css";
import { NARROWEST, WIDEST, type Width } from "./use-width";

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
    const way = { ArrowLeft: value + STEP, ArrowRight: value - STEP, Home: NARROWEST, End: WIDEST }[
      event.key
    ];
    if (way === undefined) return;
    event.preventDefault();
    change(way);
  };
  return (
    // A separator that can be moved is a control, which the rule does not know.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={classes.handle}
      role="separator"
      aria-orientation="vertical"
      aria-label={texts.drawer.resize}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
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
