/** Where the list stands: a column, a rail while the drawer needs the room, or over the page on small screens. */

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
  /** The drawer stands beside the page. */
  beside: boolean;
  onClose: () => void;
  onSearch: () => void;
}

export function ListFrame({ currentId, open, beside, onClose, onSearch }: Props) {
  const isOverlay = useMedia("(max-width: 1023px)");
  const isNarrow = useMedia("(max-width: 1279px)");
  const shown = isOverlay && open;
  useFocusReturn({ opened: shown });
  useEffect(() => {
    if (!isOverlay && open) onClose();
  }, [isOverlay, open, onClose]);
  const press = (event: KeyboardEvent) => {
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
          data-rail={!isOverlay && isNarrow && beside}
          onKeyDown={shown ? press : undefined}
          {...dialog}
        >
          <ConversationList
            currentId={currentId}
            rail={!isOverlay && isNarrow && beside}
            onChoose={onClose}
            onSearch={onSearch}
          />
        </div>
      </FocusTrap>
    </>
  );
}

/** A menu of the list closes first, by itself. */
function isInMenu(target: EventTarget): boolean {
  const open = '[role="menu"], [aria-haspopup="menu"][aria-expanded="true"]';
  return target instanceof Element && target.closest(open) !== null;
}
