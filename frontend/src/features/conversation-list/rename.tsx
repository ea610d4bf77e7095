/** The field for renaming a chat: Enter or blur saves, Esc cancels. A title that cannot be saved stays in the field. */

import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import { type Conversation, conversationQuery, useChangeConversation } from "@/api/conversations";
import { isProblem } from "@/api/problems";
import { toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import classes from "./row.module.css";

const MAX_TITLE_LENGTH = 200;

interface Props {
  conversation: Conversation;
  onEnd: () => void;
}

export function Rename({ conversation, onEnd }: Props) {
  const [title, setTitle] = useState(conversation.title);
  const save = useRename(conversation, onEnd);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") save(title.trim());
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onEnd();
  };
  return (
    <li className={classes.rename}>
      <TextInput
        size="xs"
        aria-label={texts.list.newTitle}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        maxLength={MAX_TITLE_LENGTH}
        ref={focusAndSelect}
        onKeyDown={onKeyDown}
        onBlur={() => save(title.trim())}
      />
    </li>
  );
}

/** Rename the version that the user saw, not one that somebody else changed. */
function useRename({ id, ...initial }: Conversation, onEnd: () => void): (title: string) => void {
  const client = useQueryClient();
  const { mutateAsync } = useChangeConversation();
  const [base, setBase] = useState({ title: initial.title, version: initial.version });
  const isBusy = useRef(false);
  const save = async (title: string) => {
    isBusy.current = true;
    try {
      await mutateAsync({ id, version: base.version, body: { title } });
      onEnd();
    } catch (error) {
      toastProblem(error);
      if (isProblem(error, "stale")) setBase(await client.query({ ...conversationQuery(id), staleTime: 0 }));
    } finally {
      isBusy.current = false;
    }
  };
  return (title) => {
    if (isBusy.current) return;
    if (title === "" || title === base.title) onEnd();
    else void save(title).catch(toastProblem);
  };
}

function focusAndSelect(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}
