/**
 * The drawer's frame in each mode. All modes share one React tree, so that input survives rotating a phone. Overlays
 * trap the focus, and closing returns it.
 */

import { useFocusTrap, useMergedRef } from "@mantine/hooks";
import clsx from "clsx";
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { texts } from "@/texts";
import { PILL_ID } from "../health-pill";
import classes from "./frame.module.css";
import { SheetHandle } from "./grabber";
import { ResizeHandle } from "./resize-handle";
import { useEscape } from "./use-escape";
import { useKeepFocusInside } from "./use-focus-trap";
import { type DrawerMode, useDrawerMode } from "./use-drawer-mode";
import { useSheet } from "./use-sheet";
import { useWidth } from "./use-width";

interface Props {
  header: ReactNode;
  footer: ReactNode;
  onClose: () => void;
  /** Go back to the previous page of the drawer, or close it. */
  onEscape?: () => void;
  /** The scroll position resets when the key changes. */
  scrollKey: string;
  children: ReactNode;
}

const STYLES: Record<DrawerMode, string | undefined> = {
  beside: undefined,
  over: classes.over,
  sheet: classes.sheet,
};

export function Frame({ header, footer, onClose, onEscape = onClose, scrollKey, children }: Props) {
  const mode = useDrawerMode();
  const isSheet = mode === "sheet";
  const isOver = mode !== "beside";
  const width = useWidth();
  const sheet = useSheet(onClose);
  const root = useRef<HTMLDivElement>(null);
  useReturnFocusToPill(root);
  useKeepFocusInside(root);
  const keys = useEscape({ isOver, onEscape });
  const style = mode === "beside" ? { width: width.value } : {};
  const sheetStyle = { transform: `translateY(${Math.max(0, sheet.offset)}px)` };
  return (
    <>
      {isOver && <div className={classes.scrim} aria-hidden="true" onClick={onClose} />}
      {/* The keys of what is inside pass by here. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={useMergedRef(root, useFocusTrap(isOver))}
        className={clsx(classes.drawer, STYLES[mode])}
        style={isSheet ? sheetStyle : style}
        aria-label={texts.drawer.title}
        onKeyDown={keys}
        {...(isOver ? { "role": "dialog", "aria-modal": true, "tabIndex": -1 } : { role: "complementary" })}
        {...(isSheet && { "data-size": sheet.size, "data-dragged": sheet.offset !== 0 })}
      >
        {mode === "beside" && <ResizeHandle {...width} />}
        <div className={isSheet ? classes.grip : classes.top} {...(isSheet && sheet.handlers)}>
          {isSheet && <SheetHandle size={sheet.size} onToggle={sheet.toggle} />}
          {header}
        </div>
        <div key={scrollKey} className={classes.body}>
          {children}
        </div>
        <div className={classes.foot} data-focus-home="">
          {footer}
        </div>
      </div>
    </>
  );
}

/** If the focus would be lost with the drawer, move it to the pill. */
function useReturnFocusToPill(root: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const frame = root.current;
    return () => {
      if (frame?.contains(document.activeElement)) document.getElementById(PILL_ID)?.focus();
    };
  }, [root]);
}
