/**
 * Keep the focus in the drawer when the focused element is removed or disabled; the browser would move it to the body.
 */

import { type RefObject, useEffect } from "react";

const FOCUSABLE = "button:not(:disabled), input:not(:disabled), textarea:not(:disabled), a[href]";

export function useKeepFocusInside(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const container = root.current;
    if (container === null) return;
    let last: HTMLElement | null = null;
    const onFocusIn = ({ target }: FocusEvent) => {
      last = target as HTMLElement;
    };
    /**
     * Do not bring the focus back if the user moved it. Whether the element was removed is known only after the event.
     */
    const onFocusOut = () => void setTimeout(() => (last = last !== null && isLost(last) ? last : null));
    const observer = new MutationObserver((records) => {
      if (last === null || hasFocus()) return;
      const lost = last;
      const record = records.find(({ removedNodes }) =>
        [...removedNodes].some((removed) => removed.contains(lost)),
      );
      if (lost.isConnected && !lost.matches(":disabled")) lost.focus();
      else if (record !== undefined) nearestFocusable(record, container)?.focus();
    });
    container.addEventListener("focusin", onFocusIn);
    container.addEventListener("focusout", onFocusOut);
    observer.observe(container, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    return () => {
      observer.disconnect();
      container.removeEventListener("focusin", onFocusIn);
      container.removeEventListener("focusout", onFocusOut);
    };
  }, [root]);
}

/** Whether the element has the focus, or lost it by being removed or disabled. */
function isLost(element: HTMLElement): boolean {
  return element === document.activeElement || !element.isConnected || element.matches(":disabled");
}

function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}

/** The next or previous line of the list, otherwise the same line, the section's heading, or the drawer's. */
function nearestFocusable(
  { target, nextSibling, previousSibling }: MutationRecord,
  root: HTMLElement,
): HTMLElement | null {
  const parent = target instanceof Element ? target : root;
  const lines = [nextSibling, previousSibling, parent.closest("li")].filter(
    (line) => line instanceof HTMLLIElement,
  );
  const candidates = [...lines, parent.closest("[data-focus-home]")];
  for (const candidate of candidates) {
    const focusable =
      candidate?.isConnected === true ? candidate.querySelector<HTMLElement>(FOCUSABLE) : null;
    if (focusable) return focusable;
  }
  return (
    parent.closest("section")?.querySelector<HTMLElement>("h3 button") ??
    root.querySelector<HTMLElement>("[data-autofocus]")
  );
}
