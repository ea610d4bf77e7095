/** What is being written on the memory page; the browser keeps it over a reload, for each person and workspace. */

import { useEffect, useRef, useState } from "react";
import { placeOf } from "@/api/session";
import { useShell } from "@/components/shell-context";
import { toast } from "@/components/toast";
import { keep, kept } from "@/lib/storage";
import { texts } from "@/texts";
import { memory } from "@/texts/memory";

const KEPT_AFTER_MS = 300;

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
  const latest = useRef<Draft | null>(null);
  useEffect(() => {
    const save = () => {
      if (latest.current !== null) keep(place, latest.current);
      latest.current = null;
    };
    const timer = setInterval(save, KEPT_AFTER_MS);
    window.addEventListener("pagehide", save);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pagehide", save);
      save();
    };
  }, [place]);
  const done = () => {
    latest.current = null;
    keep(place, null);
  };
  return {
    draft,
    change: (part) => {
      const next = { ...(latest.current ?? draft), ...part };
      latest.current = next;
      setDraft(next);
    },
    done,
    giveUp: (again) => {
      const isTyped = latest.current !== null || kept<object | null>(place, null) !== null;
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
