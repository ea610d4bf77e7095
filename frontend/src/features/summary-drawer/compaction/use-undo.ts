/** Undoing the last compaction; the way back from there is to compact again. */

import { type Compaction, useCompact, useUndoCompaction } from "@/api/compactions";
import { isProblem } from "@/api/problems";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";

export function useUndo() {
  const { id, run } = useDrawer();
  const { mutateAsync, isPending } = useUndoCompaction(id);
  const { mutateAsync: compact } = useCompact(id);
  const undo = ({ id: runId, base_version: base, level }: Undoable) => {
    const again = () => void compact(level).then(run.follow, toastProblem);
    const action = { label: texts.drawer.finished.redo, run: again };
    const undone = () => toast(texts.drawer.finished.undone(base ?? 0), { tone: "ok", action });
    void mutateAsync(runId).then(undone, refused);
  };
  return { undo, isPending };
}

type Undoable = Pick<Compaction, "id" | "base_version" | "level">;

function refused(error: unknown): void {
  if (isProblem(error, "not_the_last")) toast(texts.drawer.finished.notTheLast, { tone: "bad" });
  else toastProblem(error);
}
