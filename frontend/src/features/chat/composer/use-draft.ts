/** The draft of each conversation, stored in the browser. */

import { useCallback, useState } from "react";
import { useAutosavedRef } from "@/components/hooks/use-autosaved-ref";
import { readStored } from "@/lib/local-storage";

export function useDraft(key: string): [string, (text: string) => void] {
  const name = `draft:${key}`;
  const [text, setText] = useState(() => readStored(name, ""));
  const latestRef = useAutosavedRef<string>(name);
  const setDraft = useCallback(
    (next: string) => {
      latestRef.current = next;
      setText(next);
    },
    [latestRef],
  );
  return [text, setDraft];
}
