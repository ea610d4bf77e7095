/** Close the drawer on Esc from inside, and as an overlay also without focus. */

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
    if (event.key !== "Escape" || event.defaultPrevented || handlesEscape(event)) return;
    event.stopPropagation();
    onClose();
  };
}

/** Open menus and popovers handle Esc themselves. */
function handlesEscape({ target, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  const popup = (target as HTMLElement).closest("[role=menu], [role=dialog]");
  return popup !== null && popup !== currentTarget;
}
