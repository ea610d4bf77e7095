/** Whoever is led from one conversation into another while writing goes on writing there. */

import { type RefObject, useEffect } from "react";
import { useLocation } from "react-router";
import type { ComposerHandle } from "./composer";

/** The state of a navigation that leads there. */
export const WRITING = { writing: true };

export function useWritingOn(composer: RefObject<ComposerHandle | null>): void {
  const { state } = useLocation() as { state: Partial<typeof WRITING> | null };
  const isWriting = state?.writing === true;
  useEffect(() => {
    if (isWriting) composer.current?.focus();
  }, [composer, isWriting]);
}
