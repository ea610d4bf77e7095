/**
 * A focus whose element goes with what was done, as the line that is removed or the button that was pressed, stays near:
 * the browser would give it to the page.
 */

import { type RefObject, useEffect } from "react";

const FOCUSABLE = "button:not(:disabled), input:not(:disabled), textarea:not(:disabled), a[href]";

export function useFocusKept(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const here = root.current;
    if (here === null) return;
    let last: HTMLElement | null = null;
    const come = ({ target }: FocusEvent) => {
      last = target as HTMLElement;
    };
    /** Who leaves by themselves is not brought back; what is taken away is known only after the event. */
    const leave = () => void setTimeout(() => (last = last !== null && isLost(last) ? last : null));
    const observer = new MutationObserver((records) => {
      if (last === null || isSomewhere()) return;
      const lost = last;
      const record = records.find(({ removedNodes }) =>
        [...removedNodes].some((gone) => gone.contains(lost)),
      );
      if (lost.isConnected && !lost.matches(":disabled")) lost.focus();
      else if (record !== undefined) nearTo(record, here)?.focus();
    });
    here.addEventListener("focusin", come);
    here.addEventListener("focusout", leave);
    observer.observe(here, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    return () => {
      observer.disconnect();
      here.removeEventListener("focusin", come);
      here.removeEventListener("focusout", leave);
    };
  }, [root]);
}

/** Still the one that has the focus, or would have it if it were there. */
function isLost(element: HTMLElement): boolean {
  return element === document.activeElement || !element.isConnected || element.matches(":disabled");
}

function isSomewhere(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}

/** The next line of a list, or the one before; else the same line, the section's heading, the drawer's. */
function nearTo(
  { target, nextSibling, previousSibling }: MutationRecord,
  root: HTMLElement,
): HTMLElement | null {
  const around = target instanceof Element ? target : root;
  const lines = [nextSibling, previousSibling, around.closest("li")].filter(
    (line) => line instanceof HTMLLIElement,
  );
  const homes = [...lines, around.closest("[data-focus-home]")];
  for (const home of homes) {
    const found = home?.isConnected === true ? home.querySelector<HTMLElement>(FOCUSABLE) : null;
    if (found) return found;
  }
  return (
    around.closest("section")?.querySelector<HTMLElement>("h3 button") ??
    root.querySelector<HTMLElement>("[data-autofocus]")
  );
}
