/** Focus the composer after a navigation that started while writing, such as a fork. */

import { type RefObject, useEffect } from "react";
import { useLocation } from "react-router";
import type { ComposerHandle } from "./composer";

/** The navigation state that requests the focus. */
export const FOCUS_COMPOSER = { writing: true };

export function useFocusAfterNavigation(composer: RefObject<ComposerHandle | null>): void {
  const { state } = useLocation() as { state: Partial<typeof FOCUS_COMPOSER> | null };
  const isWriting = state?.writing === true;
  useEffect(() => {
    if (isWriting) composer.current?.focus();
  }, [composer, isWriting]);
}
