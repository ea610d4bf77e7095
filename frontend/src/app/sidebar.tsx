/** The frame of the conversation list: a column, a rail while the drawer needs the space, or an overlay. */

import { FocusTrap } from "@mantine/core";
import { useFocusReturn } from "@mantine/hooks";
import { type KeyboardEvent, useEffect } from "react";
import { ConversationList } from "@/features/conversation-list/conversation-list";
import { useMedia } from "@/lib/media";
import { texts } from "@/texts";
import classes from "./shell.module.css";

interface Props {
  currentId: string | undefined;
  open: boolean;
  /** The drawer is open next to the page. */
  hasOpenDrawer: boolean;
  onClose: () => void;
  onSearch: () => void;
}

export function Sidebar({ currentId, open, hasOpenDrawer, onClose, onSearch }: Props) {
  const isOverlay = useMedia("(max-width: 1023px)");
  const isNarrow = useMedia("(max-width: 1279px)");
  const shown = isOverlay && open;
  useFocusReturn({ opened: shown });
  useEffect(() => {
    if (!isOverlay && open) onClose();
  }, [isOverlay, open, onClose]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !event.defaultPrevented && !isInMenu(event.target)) onClose();
  };
  const dialog = shown ? { "role": "dialog", "aria-modal": true, "aria-label": texts.list.chats } : {};
  return (
    <>
      <div className={classes.scrim} data-open={shown} onClick={onClose} aria-hidden="true" />
      <FocusTrap active={shown}>
        {/* Keys that nobody inside took come up to here. */}
        {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
        <div
          className={classes.list}
          data-open={shown}
          data-rail={!isOverlay && isNarrow && hasOpenDrawer}
          onKeyDown={shown ? onKeyDown : undefined}
          {...dialog}
        >
          <ConversationList
            currentId={currentId}
            rail={!isOverlay && isNarrow && hasOpenDrawer}
            onChoose={onClose}
            onSearch={onSearch}
          />
        </div>
      </FocusTrap>
    </>
  );
}

/** A menu inside the list handles Escape first. */
function isInMenu(target: EventTarget): boolean {
  const open = '[role="menu"], [aria-haspopup="menu"][aria-expanded="true"]';
  return target instanceof Element && target.closest(open) !== null;
}
