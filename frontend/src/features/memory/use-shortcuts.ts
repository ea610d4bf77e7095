/**
 * Single-letter shortcuts. They are ignored while typing, if another handler took the key, or if the user disabled
 * them.
 */

import { useEffect, useRef } from "react";
import { readStored } from "@/lib/local-storage";

const SINGLE_KEYS = "single-keys";
const WRITING =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"], [role="tree"], [role="menu"]';

export function useSingleKeyShortcuts(handlers: Record<string, (() => void) | undefined>): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
      const isWriting = event.target instanceof Element && event.target.closest(WRITING) !== null;
      const handler = latest.current[event.key.toLowerCase()];
      if (!isPlain || isWriting || handler === undefined || !readStored<boolean>(SINGLE_KEYS, true)) return;
      event.preventDefault();
      handler();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
