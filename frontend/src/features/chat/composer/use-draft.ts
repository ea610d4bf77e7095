/** What is being written, kept by the browser for each conversation. */

import { useCallback, useEffect, useRef, useState } from "react";
import { keep, kept } from "@/lib/storage";

const KEPT_AFTER_MS = 300;

export function useDraft(place: string): [string, (text: string) => void] {
  const name = `draft:${place}`;
  const [text, setText] = useState(() => kept(name, ""));
  const latest = useRef<string | null>(null);
  useEffect(() => {
    const save = () => {
      if (latest.current !== null) keep(name, latest.current);
      latest.current = null;
    };
    const timer = setInterval(save, KEPT_AFTER_MS);
    window.addEventListener("pagehide", save);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pagehide", save);
      save();
    };
  }, [name]);
  const write = useCallback((next: string) => {
    latest.current = next;
    setText(next);
  }, []);
  return [text, write];
}
