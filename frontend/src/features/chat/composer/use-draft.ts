/** What is being written, kept by the browser for each conversation. */

import { useCallback, useState } from "react";
import { useLatestKept } from "@/components/hooks/use-autosaved-ref";
import { kept } from "@/lib/local-storage";

export function useDraft(place: string): [string, (text: string) => void] {
  const name = `draft:${place}`;
  const [text, setText] = useState(() => kept(name, ""));
  const latestRef = useLatestKept<string>(name);
  const write = useCallback(
    (next: string) => {
      latestRef.current = next;
      setText(next);
    },
    [latestRef],
  );
  return [text, write];
}
