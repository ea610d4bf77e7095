/** A form that opens in the middle of a page takes the focus, and gives it back to where it came from. */

import { useLayoutEffect, useRef } from "react";

/** One that was open already, when the page came, leaves the focus alone. */
export function useFormFocus(isBegun = true) {
  const root = useRef<HTMLFormElement>(null);
  const takes = useRef(isBegun);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const form = root.current;
    const section = form?.closest("section");
    const first = form?.querySelector<HTMLElement>("input, select, textarea");
    if (takes.current) first?.focus();
    if (takes.current && first instanceof HTMLTextAreaElement) first.selectionStart = first.value.length;
    return () => {
      if (form?.contains(document.activeElement) !== true) return;
      const heading = section?.querySelector<HTMLElement>("h3 button");
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
      else heading?.focus();
    };
  }, []);
  return root;
}
