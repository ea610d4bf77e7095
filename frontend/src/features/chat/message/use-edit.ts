/** A message being written anew. The browser keeps the text: the message may go out of sight, or the page away. */

import { useState } from "react";
import type { Message } from "@/api/messages";
import { keep, kept } from "@/lib/storage";

export function useEdit(message: Message): [string, (text: string) => void] {
  const [content, setContent] = useState(() => kept(place(message), message.content));
  const write = (text: string) => {
    setContent(text);
    keep(place(message), text === message.content ? null : text);
  };
  return [content, write];
}

export function forgetEdit(message: Message): void {
  keep(place(message), null);
}

function place({ id }: Message): string {
  return `draft:edit-${id}`;
}
