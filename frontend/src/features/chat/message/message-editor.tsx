/** One's own message, written anew: it goes into a fork, so that nothing that was said is lost. */

import { Button } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Message } from "@/api/messages";
import { texts } from "@/texts";
import { useActions } from "../actions";
import classes from "./message-editor.module.css";

export function MessageEditor({ message }: { message: Message }) {
  const { sendEdit, cancelEdit } = useActions();
  const [content, setContent] = useState(message.content);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(content.length, content.length);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- Once, when it opens.
  }, []);
  const canSend = content.trim() !== "";
  const send = () => {
    if (canSend) sendEdit(message, content);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      cancelEdit();
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
        onChange={(event) => setContent(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.row}>
        <p id={`edit-hint-${message.index}`}>{texts.chat.editHint}</p>
        <Button variant="subtle" onClick={cancelEdit}>
          {texts.common.cancel}
        </Button>
        <Button variant="filled" disabled={!canSend} onClick={send}>
          {texts.chat.sendEdit}
        </Button>
      </div>
    </div>
  );
}
