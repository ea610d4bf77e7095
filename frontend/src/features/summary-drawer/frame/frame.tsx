/**
 * The drawer's own frame in each of its places, one tree for all of them: what is being done inside outlives a turn of the
 * phone. What overlays the page takes the focus; closing gives it back.
 */

import { useFocusTrap, useMergedRef } from "@mantine/hooks";
import clsx from "clsx";
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { texts } from "@/texts";
import { PILL_ID } from "../health-pill";
import classes from "./frame.module.css";
import { Grabber } from "./grabber";
import { ResizeHandle } from "./resize-handle";
import { useEscape } from "./use-escape";
import { useFocusKept } from "./use-focus-trap";
import { type Room, useRoom } from "./use-drawer-mode";
import { useSheet } from "./use-sheet";
import { useWidth } from "./use-width";

interface Props {
  head: ReactNode;
  foot: ReactNode;
  onClose: () => void;
  /** Another one begins at the top. */
  scrollKey: string;
  children: ReactNode;
}

const LOOKS: Record<Room, string | undefined> = {
  beside: undefined,
  over: classes.over,
  sheet: classes.sheet,
};

export function Frame({ head, foot, onClose, scrollKey, children }: Props) {
  const room = useRoom();
  const isSheet = room === "sheet";
  const isOver = room !== "beside";
  const width = useWidth();
  const sheet = useSheet(onClose);
  const root = useRef<HTMLDivElement>(null);
  useFocusGivenBack(root);
  useFocusKept(root);
  const keys = useEscape({ isOver, onClose });
  const style = room === "beside" ? { width: width.value } : {};
  const dragged = { transform: `translateY(${Math.max(0, sheet.dragged)}px)` };
  return (
    <>
      {isOver && <div className={classes.scrim} aria-hidden="true" onClick={onClose} />}
      {/* The keys of what is inside pass by here. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={useMergedRef(root, useFocusTrap(isOver))}
        className={clsx(classes.drawer, LOOKS[room])}
        style={isSheet ? dragged : style}
        aria-label={texts.drawer.title}
        onKeyDown={keys}
        {...(isOver ? { "role": "dialog", "aria-modal": true, "tabIndex": -1 } : { role: "complementary" })}
        {...(isSheet && { "data-size": sheet.size, "data-dragged": sheet.dragged !== 0 })}
      >
        {room === "beside" && <ResizeHandle {...width} />}
        <div className={isSheet ? classes.grip : classes.top} {...(isSheet && sheet.drag)}>
          {isSheet && <Grabber size={sheet.size} onTurn={sheet.turn} />}
          {head}
        </div>
        <div key={scrollKey} className={classes.body}>
          {children}
        </div>
        <div className={classes.foot} data-focus-home="">
          {foot}
        </div>
      </div>
    </>
  );
}

/** A focus that would be lost with the drawer goes to the pill. */
function useFocusGivenBack(root: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const here = root.current;
    return () => {
      if (here?.contains(document.activeElement)) document.getElementById(PILL_ID)?.focus();
    };
  }, [root]);
}
