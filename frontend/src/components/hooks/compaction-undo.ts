/** Undo the last compaction; compacting again reverts the undo. */

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Compaction, useCompact, useUndoCompaction } from "@/api/compactions";
import { isProblem } from "@/api/problems";
import { summaryQuery } from "@/api/summary";
import { texts } from "@/texts";
import { toast, toastProblem } from "../feedback/toast";

export type UndoableCompaction = Pick<Compaction, "id" | "base_version" | "level">;

const noop = () => undefined;

export function useCompactionUndo(id: string, onRedo: (run: Compaction) => void = noop) {
  const client = useQueryClient();
  const { mutateAsync, isPending } = useUndoCompaction(id);
  const { mutateAsync: compact } = useCompact(id);
  const undo = useMemo(
    () =>
      async ({ id: runId, base_version: base, level }: UndoableCompaction) => {
        try {
          await mutateAsync(runId);
        } catch (error) {
          if (!isProblem(error, "not_the_last")) throw error;
          toast(texts.drawer.finished.notTheLast, { tone: "bad" });
          return;
        }
        const run = () => void compact(level).then(onRedo).catch(toastProblem);
        const action = { label: texts.drawer.finished.redo, run };
        toast(await undoneText(client, id, base ?? 0), { tone: "ok", action });
      },
    [client, id, mutateAsync, compact, onRedo],
  );
  return { undo, isPending };
}

/** An undo stores a new version: the one before the compaction, with the corrections made since. */
async function undoneText(client: QueryClient, id: string, base: number): Promise<string> {
  const { finished } = texts.drawer;
  const current = await client.query({ ...summaryQuery(id), staleTime: 0 }).catch(() => null);
  if (current === null || current.summary_tokens === 0) return finished.undone(base);
  return finished.undoneNow(base, current.version);
}
