/** An inline confirmation that takes the focus while it is shown. */

import { Button } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { texts } from "@/texts";
import { InlineAlert } from "./inline-alert";

interface Props {
  title: string;
  detail: string;
  actionLabel: string;
  isPending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

export function Confirm({ title, detail, actionLabel, isPending, onConfirm, onCancel }: Props) {
  const confirmButton = useFocusWhileMounted();
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key === "Escape") onCancel();
  };
  return (
    <div role="group" aria-label={title}>
      <InlineAlert
        tone="warn"
        title={title}
        actions={
          <>
            <Button ref={confirmButton} loading={isPending} onClick={onConfirm} onKeyDown={cancelOnEscape}>
              {actionLabel}
            </Button>
            <Button variant="subtle" onClick={onCancel} onKeyDown={cancelOnEscape}>
              {texts.common.cancel}
            </Button>
          </>
        }
      >
        <p>{detail}</p>
      </InlineAlert>
    </div>
  );
}

function useFocusWhileMounted() {
  const confirmButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const focusedBefore = document.activeElement;
    confirmButton.current?.focus();
    return () => {
      if (focusedBefore instanceof HTMLElement && focusedBefore.isConnected) focusedBefore.focus();
    };
  }, []);
  return confirmButton;
}
