/** Undo the last compaction, and follow the run if it is redone. */

import { toastProblem } from "@/components/feedback/toast";
import { type UndoableCompaction, useCompactionUndo } from "@/components/hooks/compaction-undo";
import { useDrawer } from "../drawer-context";

export function useUndo() {
  const { id, run } = useDrawer();
  const { undo, isPending } = useCompactionUndo(id, run.follow);
  return { undo: (compaction: UndoableCompaction) => void undo(compaction).catch(toastProblem), isPending };
}
