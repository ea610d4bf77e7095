/** A title being written anew: Enter or leaving keeps it, Esc does not. */

import { TextInput } from "@mantine/core";
import { type KeyboardEvent, useRef } from "react";
import { type Conversation, useChangeConversation } from "@/api/conversations";
import { toastProblem } from "@/components/toast";
import { texts } from "@/texts";
import classes from "./row.module.css";

const LONGEST_TITLE = 200;

interface Props {
  conversation: Conversation;
  onEnd: () => void;
}

export function Rename({ conversation, onEnd }: Props) {
  const change = useChangeConversation();
  const ended = useRef(false);
  const end = (title: string | null) => {
    if (ended.current) return;
    ended.current = true;
    onEnd();
    if (title === null || title === "" || title === conversation.title) return;
    const { id, version } = conversation;
    change.mutateAsync({ id, version, body: { title } }).catch(toastProblem);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") end(event.currentTarget.value.trim());
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end(null);
  };
  return (
    <li className={classes.rename}>
      <TextInput
        size="xs"
        aria-label={texts.list.newTitle}
        defaultValue={conversation.title}
        maxLength={LONGEST_TITLE}
        ref={selected}
        onKeyDown={press}
        onBlur={(event) => end(event.currentTarget.value.trim())}
      />
    </li>
  );
}

function selected(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}
