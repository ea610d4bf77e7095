/** Confirm an exclusion that removes lines of the summary. */

import { Button } from "@mantine/core";
import { EyeOff } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { ExclusionPreview } from "@/api/exclusions";
import type { Message } from "@/api/messages";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { texts } from "@/texts";
import { useMessageActions } from "../actions";
import { useIsInFlight } from "../in-flight";
import classes from "./message.module.css";

export function ExclusionConfirm({ message, preview }: { message: Message; preview: ExclusionPreview }) {
  const { confirmExclude, cancelExclude } = useMessageActions();
  const isBusy = useIsInFlight(message.id);
  const lines = preview.summary_lines ?? [];
  const container = useRef<HTMLDivElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => confirm.current?.focus(), []);
  const end = (action: () => void) => {
    container.current?.closest("article")?.focus();
    action();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    end(cancelExclude);
  };
  const { chat, common } = texts;
  return (
    // Escape works from whichever button has the focus.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={container} className={classes.question} onKeyDown={onKeyDown}>
      <InlineAlert
        tone="warn"
        icon={EyeOff}
        role="alert"
        title={chat.excludeTitle(lines.length)}
        actions={
          <>
            <Button
              ref={confirm}
              loading={isBusy}
              onClick={() => end(() => confirmExclude(message, preview))}
            >
              {chat.excludeConfirm}
            </Button>
            <Button variant="subtle" onClick={() => end(cancelExclude)}>
              {common.cancel}
            </Button>
          </>
        }
      >
        <ul>
          {lines.map(({ field, text }) => (
            <li key={field + text}>{text}</li>
          ))}
        </ul>
        <p>{chat.excludeDetail}</p>
      </InlineAlert>
    </div>
  );
}
