/** What is being written on the memory page; the browser keeps it over a reload, for each person and workspace. */

import { useState } from "react";
import { placeOf } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";
import { toast } from "@/components/feedback/toast";
import { useLatestKept } from "@/components/hooks/use-autosaved-ref";
import { keep, kept } from "@/lib/local-storage";
import { texts } from "@/texts";
import { memory } from "@/texts/memory";

export interface KeptDraft<Draft> {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  /** It is saved: nothing has to be kept. */
  done: () => void;
  /** Nothing that was typed goes without a way back. */
  giveUp: (again: () => void) => void;
}

export function useKeptDraft<Draft extends object>(name: string, first: Draft): KeptDraft<Draft> {
  const place = useDraftName(name);
  const [draft, setDraft] = useState<Draft>(() => ({ ...first, ...kept<Partial<Draft>>(place, {}) }));
  const latestRef = useLatestKept<Draft>(place);
  const done = () => {
    latestRef.current = null;
    keep(place, null);
  };
  return {
    draft,
    change: (part) => {
      const next = { ...(latestRef.current ?? draft), ...part };
      latestRef.current = next;
      setDraft(next);
    },
    done,
    giveUp: (again) => {
      const isTyped = latestRef.current !== null || kept<object | null>(place, null) !== null;
      done();
      if (!isTyped) return;
      const run = () => {
        keep(place, draft);
        again();
      };
      toast(memory.putAway, { action: { label: texts.common.undo, run } });
    },
  };
}

/** What was being written there when the page was left; null where nothing was. */
export function useLeft(name: string): Record<string, unknown> | null {
  const place = useDraftName(name);
  const [left] = useState(() => kept<Record<string, unknown> | null>(place, null));
  return left;
}

function useDraftName(name: string): string {
  return `memory:${placeOf(useShell().me)}/${name}`;
}
