/** Undo the last compaction; compacting again reverts the undo. */

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type Compaction, useCompact, useUndoCompaction } from "@/api/compactions";
import { isProblem } from "@/api/problems";
import { summaryQuery } from "@/api/summary";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";

export function useUndo() {
  const { id, run } = useDrawer();
  const client = useQueryClient();
  const { mutateAsync, isPending } = useUndoCompaction(id);
  const { mutateAsync: compact } = useCompact(id);
  const undo = ({ id: runId, base_version: base, level }: Undoable) => {
    const redo = () => void compact(level).then(run.follow, toastProblem);
    const action = { label: texts.drawer.finished.redo, run: redo };
    const undone = async () => toast(await undoneText(client, id, base ?? 0), { tone: "ok", action });
    void mutateAsync(runId).then(undone, errorText);
  };
  return { undo, isPending };
}

type Undoable = Pick<Compaction, "id" | "base_version" | "level">;

/** An undo stores a new version: the one before the compaction, with the corrections made since. */
async function undoneText(client: QueryClient, id: string, base: number): Promise<string> {
  const { finished } = texts.drawer;
  const current = await client.query(summaryQuery(id)).catch(() => null);
  if (current === null || current.summary_tokens === 0) return finished.undone(base);
  return finished.undoneNow(base, current.version);
}

function errorText(error: unknown): void {
  if (isProblem(error, "not_the_last")) toast(texts.drawer.finished.notTheLast, { tone: "bad" });
  else toastProblem(error);
}
