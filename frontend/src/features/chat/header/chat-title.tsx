/** The title. A click turns it into a field, which stays until the new title is saved. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type Conversation, conversationQuery, useChangeConversation } from "@/api/conversations";
import { Problem } from "@/api/problems";
import { toast, toastProblem } from "@/components/feedback/toast";
import { ChatTitleText } from "@/components/ui/chat-title-text";
import { texts } from "@/texts";
import classes from "../chat-header.module.css";

interface Props {
  conversation: Conversation;
  mayRename: boolean;
  isRenaming: boolean;
  onRename: (isRenaming: boolean) => void;
}

const MAX_TITLE_LENGTH = 200;

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
          <ChatTitleText title={title} />
        </button>
      ) : (
        <ChatTitleText title={title} />
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
  const { rename, isPending } = useRename(conversation, end);
  const save = () => {
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
      maxLength={MAX_TITLE_LENGTH}
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.nativeEvent.isComposing) save();
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        end();
      }}
    />
  );
}

/** Rename against the version that the user saw; a concurrent title is shown before it is overwritten. */
function useRename(conversation: Conversation, onEnd: () => void) {
  const client = useQueryClient();
  const { mutateAsync, isPending } = useChangeConversation();
  const [base, setBase] = useState(conversation);
  const { header } = texts.chat;
  const change = ({ id, version }: Conversation, title: string) =>
    mutateAsync({ id, version, body: { title } });
  const saveTitle = async (title: string) => {
    try {
      await change(base, title);
    } catch (error) {
      if (!(error instanceof Problem && error.status === 412)) throw error;
      const current = await client.query({ ...conversationQuery(base.id), staleTime: 0 });
      setBase(current);
      if (current.title !== base.title) {
        toast(header.renamedElsewhere(current.title), { tone: "bad" });
        return;
      }
      await change(current, title);
    }
    toast(header.renamed, { tone: "ok" });
    onEnd();
  };
  const rename = (title: string) => {
    if (isPending) return;
    if (title === "" || title === base.title) onEnd();
    else saveTitle(title).catch(toastProblem);
  };
  return { rename, isPending };
}
