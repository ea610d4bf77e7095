/** Handle Esc from inside the drawer, and as an overlay also without focus. */

import { type KeyboardEvent, useEffect } from "react";

interface Options {
  isOver: boolean;
  onEscape: () => void;
}

export function useEscape({ isOver, onEscape }: Options) {
  useEffect(() => {
    if (!isOver) return;
    const close = (event: globalThis.KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && event.target === document.body) onEscape();
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [isOver, onEscape]);
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== "Escape" || event.defaultPrevented || handlesEscape(event)) return;
    event.stopPropagation();
    onEscape();
  };
}

/** Open menus and popovers handle Esc themselves. */
function handlesEscape({ target, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  const popup = (target as HTMLElement).closest("[role=menu], [role=dialog]");
  return popup !== null && popup !== currentTarget;
}
