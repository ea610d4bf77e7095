/** The title; a click makes it a field, which stays until the new title is stored. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type Conversation, conversationQuery, useChangeConversation } from "@/api/conversations";
import { Problem } from "@/api/problems";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import classes from "../chat-header.module.css";

interface Props {
  conversation: Conversation;
  mayRename: boolean;
  isRenaming: boolean;
  onRename: (wanted: boolean) => void;
}

const LONGEST = 200;

export function ChatTitle({ conversation, mayRename, isRenaming, onRename }: Props) {
  const { header } = texts.chat;
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!isRenaming && hadFocus.current) button.current?.focus();
    hadFocus.current = false;
  }, [isRenaming]);
  const end = (focus: boolean) => {
    hadFocus.current = focus;
    onRename(false);
  };
  const title = conversation.title === "" ? header.untitled : conversation.title;
  if (isRenaming && mayRename) return <TitleField conversation={conversation} onEnd={end} />;
  return (
    <h1 className={classes.title}>
      {mayRename ? (
        <button ref={button} type="button" title={header.renameHint} onClick={() => onRename(true)}>
          {title}
        </button>
      ) : (
        title
      )}
    </h1>
  );
}

interface FieldProps {
  conversation: Conversation;
  onEnd: (hadFocus: boolean) => void;
}

function TitleField({ conversation, onEnd }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(conversation.title);
  const hasEnded = useRef(false);
  const end = () => {
    if (hasEnded.current) return;
    hasEnded.current = true;
    onEnd(document.activeElement === field.current);
  };
  const { rename, isPending } = useRenaming(conversation, end);
  const keep = () => {
    if (!hasEnded.current) rename(text.trim());
  };
  useEffect(() => field.current?.focus(), []);
  return (
    <input
      ref={field}
      className={classes.field}
      aria-label={texts.chat.header.titleLabel}
      aria-busy={isPending}
      readOnly={isPending}
      maxLength={LONGEST}
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.nativeEvent.isComposing) keep();
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        end();
      }}
    />
  );
}

/** Against the title that was there when somebody began to write; one that came meanwhile is named before it goes. */
function useRenaming(conversation: Conversation, onEnd: () => void) {
  const client = useQueryClient();
  const { mutateAsync, isPending } = useChangeConversation();
  const [seen, setSeen] = useState(conversation);
  const { header } = texts.chat;
  const change = ({ id, version }: Conversation, title: string) =>
    mutateAsync({ id, version, body: { title } });
  const changed = async (title: string) => {
    try {
      await change(seen, title);
    } catch (error) {
      if (!(error instanceof Problem && error.status === 412)) throw error;
      const present = await client.query({ ...conversationQuery(seen.id), staleTime: 0 });
      setSeen(present);
      if (present.title !== seen.title) {
        toast(header.renamedMeanwhile(present.title), { tone: "bad" });
        return;
      }
      await change(present, title);
    }
    toast(header.renamed, { tone: "ok" });
    onEnd();
  };
  const rename = (title: string) => {
    if (isPending) return;
    if (title === "" || title === seen.title) onEnd();
    else changed(title).catch(toastProblem);
  };
  return { rename, isPending };
}
