/** Drafts of the memory page, stored in the browser for each user and workspace. */

import { useState } from "react";
import { sessionScope } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";
import { toast } from "@/components/feedback/toast";
import { useAutosavedRef } from "@/components/hooks/use-autosaved-ref";
import { writeStored, readStored } from "@/lib/local-storage";
import { texts } from "@/texts";
import { memory } from "@/texts/memory";

export interface PersistedDraft<Draft> {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  /** The draft was saved: remove it. */
  done: () => void;
  /** Discard the draft and offer an undo. */
  discard: (reopen: () => void) => void;
}

export function usePersistedDraft<Draft extends object>(name: string, first: Draft): PersistedDraft<Draft> {
  const key = useDraftKey(name);
  const [draft, setDraft] = useState<Draft>(() => ({ ...first, ...readStored<Partial<Draft>>(key, {}) }));
  const latestRef = useAutosavedRef<Draft>(key);
  const done = () => {
    latestRef.current = null;
    writeStored(key, null);
  };
  return {
    draft,
    change: (part) => {
      const next = { ...(latestRef.current ?? draft), ...part };
      latestRef.current = next;
      setDraft(next);
    },
    done,
    discard: (reopen) => {
      const isTyped = latestRef.current !== null || readStored<object | null>(key, null) !== null;
      done();
      if (!isTyped) return;
      const run = () => {
        writeStored(key, draft);
        reopen();
      };
      toast(memory.putAway, { action: { label: texts.common.undo, run } });
    },
  };
}

/** The stored draft when the page was opened, or null. */
export function useLeftDraft(name: string): Record<string, unknown> | null {
  const key = useDraftKey(name);
  const [leftDraft] = useState(() => readStored<Record<string, unknown> | null>(key, null));
  return leftDraft;
}

function useDraftKey(name: string): string {
  return `memory:${sessionScope(useShell().me)}/${name}`;
}
