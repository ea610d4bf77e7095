/** Esc closes the drawer from wherever the focus is in it, and over the page also when the focus is nowhere. */

import { type KeyboardEvent, useEffect } from "react";

interface Options {
  isOver: boolean;
  onClose: () => void;
}

export function useEscape({ isOver, onClose }: Options) {
  useEffect(() => {
    if (!isOver) return;
    const close = (event: globalThis.KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && event.target === document.body) onClose();
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [isOver, onClose]);
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== "Escape" || event.defaultPrevented || hasItsOwn(event)) return;
    event.stopPropagation();
    onClose();
  };
}

/** Menus and popovers inside have an Esc of their own. */
function hasItsOwn({ target, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  const own = (target as HTMLElement).closest("[role=menu], [role=dialog]");
  return own !== null && own !== currentTarget;
}
