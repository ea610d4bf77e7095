/** A form that opens in the middle of a page takes the focus, and gives it back to where it came from. */

import { useLayoutEffect, useRef } from "react";

export function useFormFocus() {
  const root = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const form = root.current;
    const section = form?.closest("section");
    form?.querySelector<HTMLElement>("input, select, textarea")?.focus();
    return () => {
      if (form?.contains(document.activeElement) !== true) return;
      const heading = section?.querySelector<HTMLElement>("h3 button");
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
      else heading?.focus();
    };
  }, []);
  return root;
}
