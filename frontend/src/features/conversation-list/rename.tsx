/** A title being written anew: Enter or leaving keeps it, Esc does not. What cannot be kept now stays in the field. */

import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import { type Conversation, conversationQuery, useChangeConversation } from "@/api/conversations";
import { isProblem } from "@/api/problems";
import { toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import classes from "./row.module.css";

const LONGEST_TITLE = 200;

interface Props {
  conversation: Conversation;
  onEnd: () => void;
}

export function Rename({ conversation, onEnd }: Props) {
  const [title, setTitle] = useState(conversation.title);
  const keep = useKeeping(conversation, onEnd);
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") keep(title.trim());
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
        maxLength={LONGEST_TITLE}
        ref={selected}
        onKeyDown={press}
        onBlur={() => keep(title.trim())}
      />
    </li>
  );
}

/** In place of the title that was looked at, not of one that somebody else wrote meanwhile. */
function useKeeping({ id, ...seen }: Conversation, onEnd: () => void): (title: string) => void {
  const client = useQueryClient();
  const { mutateAsync } = useChangeConversation();
  const [old, setOld] = useState({ title: seen.title, version: seen.version });
  const isBusy = useRef(false);
  const keep = async (title: string) => {
    isBusy.current = true;
    try {
      await mutateAsync({ id, version: old.version, body: { title } });
      onEnd();
    } catch (error) {
      toastProblem(error);
      if (isProblem(error, "stale")) setOld(await client.query({ ...conversationQuery(id), staleTime: 0 }));
    } finally {
      isBusy.current = false;
    }
  };
  return (title) => {
    if (isBusy.current) return;
    if (title === "" || title === old.title) onEnd();
    else void keep(title).catch(toastProblem);
  };
}

function selected(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}
