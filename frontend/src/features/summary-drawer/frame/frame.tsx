/** The drawer's own frame in each of its places. What overlays the page takes the focus; closing gives it back. */

import { useFocusTrap, useMergedRef } from "@mantine/hooks";
import clsx from "clsx";
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { texts } from "@/texts";
import { PILL_ID } from "../health-pill";
import classes from "./frame.module.css";
import { Grabber } from "./grabber";
import { ResizeHandle } from "./resize-handle";
import { useRoom } from "./use-room";
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

export function Frame(props: Props) {
  const room = useRoom();
  if (room === "beside") return <Beside {...props} />;
  return room === "over" ? <Over {...props} /> : <Sheet {...props} />;
}

function Beside({ head, foot, onClose, scrollKey, children }: Props) {
  const root = useFocusGivenBack<HTMLElement>();
  const width = useWidth();
  return (
    // The keys of what is inside pass by here: Esc closes from wherever the focus is.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      ref={root}
      className={classes.drawer}
      style={{ width: width.value }}
      aria-label={texts.drawer.title}
      onKeyDown={onEscape(onClose)}
    >
      <ResizeHandle {...width} />
      <Inside head={head} foot={foot} scrollKey={scrollKey}>
        {children}
      </Inside>
    </aside>
  );
}

function Over({ head, foot, onClose, scrollKey, children }: Props) {
  const root = useMergedRef(useFocusGivenBack<HTMLDivElement>(), useFocusTrap());
  return (
    <>
      <Scrim onClose={onClose} />
      <div ref={root} className={clsx(classes.drawer, classes.over)} {...dialog(onClose)}>
        <Inside head={head} foot={foot} scrollKey={scrollKey}>
          {children}
        </Inside>
      </div>
    </>
  );
}

function Sheet({ head, foot, onClose, scrollKey, children }: Props) {
  const root = useMergedRef(useFocusGivenBack<HTMLDivElement>(), useFocusTrap());
  const sheet = useSheet(onClose);
  return (
    <>
      <Scrim onClose={onClose} />
      <div
        ref={root}
        className={clsx(classes.drawer, classes.sheet)}
        data-size={sheet.size}
        data-dragged={sheet.dragged !== 0}
        style={{ transform: `translateY(${Math.max(0, sheet.dragged)}px)` }}
        {...dialog(onClose)}
      >
        <div className={classes.grip} {...sheet.drag}>
          <Grabber size={sheet.size} onTurn={sheet.turn} />
          {head}
        </div>
        <div key={scrollKey} className={classes.body}>
          {children}
        </div>
        <div className={classes.foot}>{foot}</div>
      </div>
    </>
  );
}

function Inside({ head, foot, scrollKey, children }: Omit<Props, "onClose">) {
  return (
    <>
      {head}
      <div key={scrollKey} className={classes.body}>
        {children}
      </div>
      <div className={classes.foot}>{foot}</div>
    </>
  );
}

function Scrim({ onClose }: { onClose: () => void }) {
  return <div className={classes.scrim} aria-hidden="true" onClick={onClose} />;
}

function dialog(onClose: () => void) {
  return {
    "role": "dialog",
    "aria-modal": true,
    "aria-label": texts.drawer.title,
    "tabIndex": -1,
    "onKeyDown": onEscape(onClose),
  };
}

/** Menus and popovers inside have an Esc of their own. */
function onEscape(onClose: () => void) {
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    const own = (event.target as HTMLElement).closest("[role=menu], [role=dialog]");
    if (own !== null && own !== event.currentTarget) return;
    event.stopPropagation();
    onClose();
  };
}

/** A focus that would be lost with the drawer goes to the pill. */
function useFocusGivenBack<Root extends HTMLElement>() {
  const root = useRef<Root>(null);
  useLayoutEffect(() => {
    const here = root.current;
    return () => {
      if (here?.contains(document.activeElement)) document.getElementById(PILL_ID)?.focus();
    };
  }, []);
  return root;
}
