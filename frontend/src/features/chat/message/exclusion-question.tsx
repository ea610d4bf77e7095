/** Which lines of the summary go with a message, before it is left out. */

import { Button } from "@mantine/core";
import { EyeOff } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { ExclusionPreview } from "@/api/exclusions";
import type { Message } from "@/api/messages";
import { Note } from "@/components/feedback/inline-alert";
import { texts } from "@/texts";
import { useActions } from "../actions";
import { useIsUnderWay } from "../in-flight";
import classes from "./message.module.css";

export function ExclusionQuestion({ message, preview }: { message: Message; preview: ExclusionPreview }) {
  const { confirmExclude, cancelExclude } = useActions();
  const isBusy = useIsUnderWay(message.id);
  const lines = preview.summary_lines ?? [];
  const place = useRef<HTMLDivElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => confirm.current?.focus(), []);
  const end = (deed: () => void) => {
    place.current?.closest("article")?.focus();
    deed();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    end(cancelExclude);
  };
  const { chat, common } = texts;
  return (
    // Escape reaches whatever of it has the focus.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={place} className={classes.question} onKeyDown={press}>
      <Note
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
      </Note>
    </div>
  );
}
