/** Writing in one place of the drawer: begun, changed, and ended; nothing that was typed goes without a way back. */

import { useEffect, useState, useSyncExternalStore } from "react";
import { useShell } from "@/components/hooks/shell-context";
import { toast } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { watchWriting, writeAt, writtenAt } from "./store";

/** `old` as it was looked at, none for something new; `first` is what the draft was at the beginning. */
export interface Writing<Old, Draft> {
  old: Old | null;
  first: Draft;
  draft: Draft;
  /** When: each beginning is a form of its own. */
  begun: number;
}

export interface Writer<Old, Draft> {
  writing: Writing<Old, Draft> | null;
  /** Just now, and not before the drawer was opened. */
  isBegun: boolean;
  begin: (old: Old | null, first: Draft) => void;
  change: (part: Partial<Draft>) => void;
  /** It was changed elsewhere, and somebody looked at that. */
  lookAt: (old: Old) => void;
  giveUp: () => void;
  /** What ends it when it is saved, unless something else is written by then. */
  ending: () => () => void;
}

export function useWriting<Old, Draft extends object>(name: string, place: string): Writer<Old, Draft> {
  const { user } = useShell().me;
  const where = `${user.id}/${place}/${name}`;
  const now = () => writtenAt(where) as Writing<Old, Draft> | null;
  const writing = useSyncExternalStore(watchWriting, now);
  const [isBegun, setBegun] = useState(false);
  const become = (next: Writing<Old, Draft> | null) => {
    writeAt(where, next, next !== null && isChanged(next));
  };
  useEmptyFormsGone(where);
  const putAway = () => {
    const left = now();
    if (left === null || !isChanged(left)) return;
    const run = () => {
      putAway();
      become(left);
    };
    toast(texts.drawer.putAway, { action: { label: texts.common.undo, run } });
  };
  return {
    writing,
    isBegun,
    begin: (old, first) => {
      putAway();
      setBegun(true);
      become({ old, first, draft: first, begun: Date.now() });
    },
    change: (part) => {
      const latest = now();
      if (latest !== null) become({ ...latest, draft: { ...latest.draft, ...part } });
    },
    lookAt: (old) => {
      const latest = now();
      if (latest !== null) become({ ...latest, old });
    },
    giveUp: () => {
      putAway();
      become(null);
    },
    ending: () => {
      const sent = now();
      return () => {
        if (now() === sent) become(null);
      };
    },
  };
}

/** A form in which nothing was typed goes with its place. */
function useEmptyFormsGone(where: string): void {
  useEffect(
    () => () => {
      const left = writtenAt(where) as Writing<unknown, unknown> | null;
      if (left !== null && !isChanged(left)) writeAt(where, null, false);
    },
    [where],
  );
}

/** Of the conversation; what is one's own in all of them goes by another place. */
export function useWritingHere<Old, Draft extends object>(name: string): Writer<Old, Draft> {
  return useWriting<Old, Draft>(name, useDrawer().id);
}

/** Whether something is being written in any of these places. */
export function useIsWritten(names: readonly string[]): boolean {
  const { user } = useShell().me;
  const { id } = useDrawer();
  return useSyncExternalStore(watchWriting, () =>
    names.some((name) => writtenAt(`${user.id}/${id}/${name}`) !== null),
  );
}

function isChanged<Old, Draft>({ first, draft }: Writing<Old, Draft>): boolean {
  return JSON.stringify(first) !== JSON.stringify(draft);
}
