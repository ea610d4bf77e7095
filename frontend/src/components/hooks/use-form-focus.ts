/** Focus a form when it opens, and return the focus when it closes. */

import { useLayoutEffect, useRef } from "react";

/** Pass false for a form that was open when the page loaded; it does not take the focus. */
export function useFormFocus(shouldTakeFocus = true) {
  const root = useRef<HTMLFormElement>(null);
  const takesFocus = useRef(shouldTakeFocus);
  useLayoutEffect(() => {
    const focusedBefore = document.activeElement;
    const form = root.current;
    const section = form?.closest("section");
    const first = form?.querySelector<HTMLElement>("input, select, textarea");
    if (takesFocus.current) first?.focus();
    if (takesFocus.current && first instanceof HTMLTextAreaElement) first.selectionStart = first.value.length;
    return () => {
      if (form?.contains(document.activeElement) !== true) return;
      const heading = section?.querySelector<HTMLElement>("h3 button");
      if (
        focusedBefore instanceof HTMLElement &&
        focusedBefore.isConnected &&
        focusedBefore !== document.body
      )
        focusedBefore.focus();
      else heading?.focus();
    };
  }, []);
  return root;
}
