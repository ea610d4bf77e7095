/** Edit a draft in the drawer: open, change, save or discard, with an undo for discarded input. */

import { useEffect, useState, useSyncExternalStore } from "react";
import { useShell } from "@/components/hooks/shell-context";
import { toast } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { subscribeToDrafts, writeDraft, readDraft } from "./store";

/** `base` is the version that the user saw, null for a new item; `initial` is the draft when the form was opened. */
export interface DraftState<Old, Draft> {
  base: Old | null;
  initial: Draft;
  draft: Draft;
  /** A timestamp used as the form's React key, so that each opening is a new form. */
  openedAt: number;
}

export interface DraftEditor<Old, Draft> {
  state: DraftState<Old, Draft> | null;
  /** Whether it was opened since the drawer was mounted. */
  isNewlyOpened: boolean;
  open: (base: Old | null, initial: Draft) => void;
  change: (part: Partial<Draft>) => void;
  /** Accept a concurrent change as the new base. */
  rebase: (base: Old) => void;
  discard: () => void;
  /** Return a function that closes the form after saving, unless the draft has changed by then. */
  closeAfterSave: () => () => void;
}

export function useDraft<Old, Draft extends object>(name: string, scope: string): DraftEditor<Old, Draft> {
  const { user } = useShell().me;
  const key = `${user.id}/${scope}/${name}`;
  const current = () => readDraft(key) as DraftState<Old, Draft> | null;
  const state = useSyncExternalStore(subscribeToDrafts, current);
  const [isNewlyOpened, setNewlyOpened] = useState(false);
  const set = (next: DraftState<Old, Draft> | null) => {
    writeDraft(key, next, next !== null && isChanged(next));
  };
  useDropEmptyDraft(key);
  const offerUndo = () => {
    const discarded = current();
    if (discarded === null || !isChanged(discarded)) return;
    const run = () => {
      offerUndo();
      set(discarded);
    };
    toast(texts.drawer.putAway, { action: { label: texts.common.undo, run } });
  };
  return {
    state,
    isNewlyOpened,
    open: (base, initial) => {
      offerUndo();
      setNewlyOpened(true);
      set({ base, initial, draft: initial, openedAt: Date.now() });
    },
    change: (part) => {
      const latest = current();
      if (latest !== null) set({ ...latest, draft: { ...latest.draft, ...part } });
    },
    rebase: (base) => {
      const latest = current();
      if (latest !== null) set({ ...latest, base });
    },
    discard: () => {
      offerUndo();
      set(null);
    },
    closeAfterSave: () => {
      const saved = current();
      return () => {
        if (current() === saved) set(null);
      };
    },
  };
}

/** Close an untouched form when its component unmounts. */
function useDropEmptyDraft(key: string): void {
  useEffect(
    () => () => {
      const discarded = readDraft(key) as DraftState<unknown, unknown> | null;
      if (discarded !== null && !isChanged(discarded)) writeDraft(key, null, false);
    },
    [key],
  );
}

/** A draft of the current conversation; drafts of user memory use another scope. */
export function useConversationDraft<Old, Draft extends object>(name: string): DraftEditor<Old, Draft> {
  return useDraft<Old, Draft>(name, useDrawer().id);
}

/** Whether any of these forms is open. */
export function useHasDraft(names: readonly string[]): boolean {
  const { user } = useShell().me;
  const { id } = useDrawer();
  return useSyncExternalStore(subscribeToDrafts, () =>
    names.some((name) => readDraft(`${user.id}/${id}/${name}`) !== null),
  );
}

function isChanged<Old, Draft>({ initial, draft }: DraftState<Old, Draft>): boolean {
  return JSON.stringify(initial) !== JSON.stringify(draft);
}
