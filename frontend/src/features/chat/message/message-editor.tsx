/** Edit a user message. The edit is sent to a fork, so that nothing is lost. */

import { Button } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Message } from "@/api/messages";
import { texts } from "@/texts";
import { useMessageActions } from "../actions";
import { useIsInFlight } from "../in-flight";
import classes from "./message-editor.module.css";
import { useEdit } from "./use-edit";

export function MessageEditor({ message }: { message: Message }) {
  const { sendEdit, cancelEdit } = useMessageActions();
  const { content, write, clear } = useEdit(message);
  const isBusy = useIsInFlight(message.id);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(content.length, content.length);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- Once, when it opens.
  }, []);
  const canSend = content.trim() !== "";
  const send = () => {
    if (canSend && !isBusy) sendEdit(message, content, clear);
  };
  const cancel = () => {
    clear();
    cancelEdit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      cancel();
    } else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    }
  };
  return (
    <div className={classes.editor}>
      <textarea
        ref={field}
        aria-label={texts.chat.editLabel}
        aria-describedby={`edit-hint-${message.index}`}
        value={content}
        readOnly={isBusy}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.row}>
        <p id={`edit-hint-${message.index}`}>{texts.chat.editHint}</p>
        <Button variant="subtle" onClick={cancel}>
          {texts.common.cancel}
        </Button>
        <Button variant="filled" disabled={!canSend} loading={isBusy} onClick={send}>
          {texts.chat.sendEdit}
        </Button>
      </div>
    </div>
  );
}
