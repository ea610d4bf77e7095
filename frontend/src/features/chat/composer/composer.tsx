/** The message composer. It grows with the text, saves the draft, and is never blocked. */

import { Button } from "@mantine/core";
import clsx from "clsx";
import { ArrowUp, Square } from "lucide-react";
import { type KeyboardEvent, type Ref, useImperativeHandle, useRef } from "react";
import { NumberWithSource } from "@/components/ui/number-with-source";
import { texts } from "@/texts";
import classes from "./composer.module.css";
import { useDraft } from "./use-draft";
import { useDraftSize } from "./use-size";

export interface ComposerHandle {
  /** Insert a message to edit it again. */
  insert: (text: string) => void;
  focus: () => void;
}

interface Props {
  draftKey: string;
  placeholder: string;
  isWriting: boolean;
  onSend: (content: string) => void;
  onStop: () => void;
  onEditLast?: () => void;
  ref?: Ref<ComposerHandle>;
}

export function Composer({ draftKey, placeholder, isWriting, onSend, onStop, onEditLast, ref }: Props) {
  const [draft, write] = useDraft(draftKey);
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({
    insert: (text) => {
      write(draft.trim() === "" ? text : `${text}\n\n${draft}`);
      field.current?.focus();
    },
    focus: () => field.current?.focus(),
  }));
  const { chat } = texts;
  const { tokens, exceeded } = useDraftSize(draft);
  const isTooLong = exceeded !== null;
  const canSend = draft.trim() !== "" && !isTooLong;
  const send = () => {
    if (!canSend) return;
    onSend(draft);
    write("");
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey && !isTouch()) {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && draft === "" && onEditLast) {
      event.preventDefault();
      onEditLast();
    }
  };
  return (
    <div className={classes.place} data-composer>
      <div className={classes.composer}>
        <textarea
          ref={field}
          rows={1}
          aria-label={chat.composer}
          aria-describedby={isTooLong ? "composer-problem" : undefined}
          aria-invalid={isTooLong}
          placeholder={placeholder}
          value={draft}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className={classes.row}>
          {exceeded !== null && (
            <span id="composer-problem" className={classes.problem} role="alert">
              {chat.tooLong(exceeded)}
            </span>
          )}
          <span className={classes.size}>
            {tokens !== null && <NumberWithSource value={tokens} source="estimated" form={chat.tokens} />}
          </span>
          {isWriting && (
            <Button
              leftSection={<Square size={14} strokeWidth={2} aria-hidden="true" />}
              className={classes.button ?? ""}
              title={chat.stopKey}
              onClick={onStop}
            >
              <span className={classes.word}>{chat.stop}</span>
            </Button>
          )}
          <Button
            variant="filled"
            className={clsx(classes.button, classes.send)}
            leftSection={<ArrowUp size={16} strokeWidth={1.75} aria-hidden="true" />}
            aria-disabled={!canSend}
            title={draft.trim() === "" ? chat.whyNot.empty : undefined}
            onClick={send}
          >
            <span className={classes.word}>{chat.send}</span>
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Touch keyboards have no Shift+Enter. */
function isTouch(): boolean {
  return window.matchMedia("(pointer: coarse)").matches;
}
