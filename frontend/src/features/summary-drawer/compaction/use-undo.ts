/** Undo the last compaction; compacting again reverts the undo. */

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
    const redo = () => void compact(level).then(run.follow, toastProblem);
    const action = { label: texts.drawer.finished.redo, run: redo };
    const undone = () => toast(texts.drawer.finished.undone(base ?? 0), { tone: "ok", action });
    void mutateAsync(runId).then(undone, errorText);
  };
  return { undo, isPending };
}

type Undoable = Pick<Compaction, "id" | "base_version" | "level">;

function errorText(error: unknown): void {
  if (isProblem(error, "not_the_last")) toast(texts.drawer.finished.notTheLast, { tone: "bad" });
  else toastProblem(error);
}
