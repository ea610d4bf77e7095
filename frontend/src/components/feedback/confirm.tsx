/** Asks once more, in the place where it was begun, and takes the focus while it does. */

import { Button } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { texts } from "@/texts";
import { Note } from "./inline-alert";

interface Props {
  title: string;
  detail: string;
  deed: string;
  isPending: boolean;
  onDo: () => void;
  onLeave: () => void;
}

export function Confirm({ title, detail, deed, isPending, onDo, onLeave }: Props) {
  const first = useFocusWhileHere();
  const leaveByKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") onLeave();
  };
  return (
    <div role="group" aria-label={title}>
      <Note
        tone="warn"
        title={title}
        actions={
          <>
            <Button ref={first} loading={isPending} onClick={onDo} onKeyDown={leaveByKey}>
              {deed}
            </Button>
            <Button variant="subtle" onClick={onLeave} onKeyDown={leaveByKey}>
              {texts.common.cancel}
            </Button>
          </>
        }
      >
        <p>{detail}</p>
      </Note>
    </div>
  );
}

function useFocusWhileHere() {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    first.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return first;
}
