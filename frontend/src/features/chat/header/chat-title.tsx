/** The title; a click makes it a field. */

import { useState } from "react";
import { type Conversation, useChangeConversation } from "@/api/conversations";
import { toast, toastProblem } from "@/components/toast";
import { texts } from "@/texts";
import classes from "../chat-header.module.css";

interface Props {
  conversation: Conversation;
  isRenaming: boolean;
  onRename: (wanted: boolean) => void;
}

const LONGEST = 200;

export function ChatTitle({ conversation, isRenaming, onRename }: Props) {
  const { mutate } = useChangeConversation();
  const { id, version, title } = conversation;
  const { header } = texts.chat;
  const rename = (wanted: string) => {
    onRename(false);
    if (wanted === title || wanted === "") return;
    mutate(
      { id, version, body: { title: wanted } },
      { onError: toastProblem, onSuccess: () => toast(header.renamed, { tone: "ok" }) },
    );
  };
  if (isRenaming) return <TitleField title={title} onDone={rename} onCancel={() => onRename(false)} />;
  return (
    <h1 className={classes.title}>
      <button type="button" title={header.renameHint} onClick={() => onRename(true)}>
        {title === "" ? header.untitled : title}
      </button>
    </h1>
  );
}

function TitleField(props: { title: string; onDone: (title: string) => void; onCancel: () => void }) {
  const [text, setText] = useState(props.title);
  return (
    <input
      className={classes.field}
      ref={(field) => field?.focus()}
      aria-label={texts.chat.header.titleLabel}
      maxLength={LONGEST}
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => props.onDone(text.trim())}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        props.onCancel();
      }}
    />
  );
}
