/** The text of a message while it is edited, stored in the browser because the row may unmount. */

import { useState } from "react";
import type { Message } from "@/api/messages";
import { useShell } from "@/components/hooks/shell-context";
import { writeStored, readStored } from "@/lib/local-storage";

interface Edit {
  content: string;
  write: (text: string) => void;
  clear: () => void;
}

/** The key includes the user because several may share a browser. */
export function useEdit({ id, content: original }: Message): Edit {
  const { user } = useShell().me;
  const key = `draft:edit-${user.id}/${id}`;
  const [content, setContent] = useState(() => readStored(key, original));
  const write = (text: string) => {
    setContent(text);
    writeStored(key, text === original ? null : text);
  };
  return { content, write, clear: () => void writeStored(key, null) };
}
