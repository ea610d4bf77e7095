/** Where the list stands: a column, a rail while the drawer needs the room, or over the page on small screens. */

import { FocusTrap } from "@mantine/core";
import { useFocusReturn, useMediaQuery } from "@mantine/hooks";
import { type KeyboardEvent, useEffect } from "react";
import { ConversationList } from "@/features/conversation-list/conversation-list";
import { texts } from "@/texts";
import classes from "./shell.module.css";

const AT_ONCE = { getInitialValueInEffect: false };

interface Props {
  currentId: string | undefined;
  open: boolean;
  /** The drawer stands beside the page. */
  beside: boolean;
  onClose: () => void;
  onSearch: () => void;
}

export function ListFrame({ currentId, open, beside, onClose, onSearch }: Props) {
  const isOverlay = useMediaQuery("(max-width: 1023px)", false, AT_ONCE);
  const isNarrow = useMediaQuery("(max-width: 1279px)", false, AT_ONCE);
  const shown = isOverlay && open;
  useFocusReturn({ opened: shown });
  useEffect(() => {
    if (!isOverlay && open) onClose();
  }, [isOverlay, open, onClose]);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !event.defaultPrevented) onClose();
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
