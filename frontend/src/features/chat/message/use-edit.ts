/** A message being written anew. The browser keeps the text: the message may go out of sight, or the page away. */

import { useState } from "react";
import type { Message } from "@/api/messages";
import { useShell } from "@/components/hooks/shell-context";
import { keep, kept } from "@/lib/local-storage";

interface Edit {
  content: string;
  write: (text: string) => void;
  forget: () => void;
}

/** Whose it is belongs to its name: a browser may serve several people. */
export function useEdit({ id, content: said }: Message): Edit {
  const { user } = useShell().me;
  const place = `draft:edit-${user.id}/${id}`;
  const [content, setContent] = useState(() => kept(place, said));
  const write = (text: string) => {
    setContent(text);
    keep(place, text === said ? null : text);
  };
  return { content, write, forget: () => void keep(place, null) };
}
