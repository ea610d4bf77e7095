/** Keys of one letter: never while one writes, nor where somebody else took the key, nor when they are switched off. */

import { useEffect, useRef } from "react";
import { kept } from "@/lib/local-storage";

const SINGLE_KEYS = "single-keys";
const WRITING = 'input, textarea, select, [contenteditable="true"], [role="tree"], [role="menu"]';

export function useSingleKeys(deeds: Record<string, (() => void) | undefined>): void {
  const latest = useRef(deeds);
  useEffect(() => {
    latest.current = deeds;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
      const isWriting = event.target instanceof Element && event.target.closest(WRITING) !== null;
      const deed = latest.current[event.key.toLowerCase()];
      if (!isPlain || isWriting || deed === undefined || !kept<boolean>(SINGLE_KEYS, true)) return;
      event.preventDefault();
      deed();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
