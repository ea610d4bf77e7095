/** Run an import: send the files, follow the operation, cancel it. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useRef } from "react";
import {
  cancelImport,
  cancelUpload,
  followImport,
  type PickedFile,
  runningImportQuery,
  sendFiles,
  type SourceOrAuto,
} from "@/api/import-files";
import { keys } from "@/api/keys";
import { toastProblem } from "@/components/feedback/toast";
import { randomId } from "@/lib/random-id";
import { importFiles as words } from "@/texts/import-files";
import { CHOOSE, importReducer, type ImportState } from "./import-steps";
import { picked } from "./picked-files";

type Operation = Parameters<typeof followImport>[0];

export interface FileImport {
  state: ImportState;
  /** Check the files, and start the preview. */
  pick: (files: readonly PickedFile[]) => void;
  start: (files: readonly PickedFile[], source: SourceOrAuto, dryRun: boolean) => void;
  cancel: () => void;
  reset: () => void;
}

export function useFileImport(): FileImport {
  const [state, dispatch] = useReducer(importReducer, CHOOSE);
  const running = useRef<AbortController | null>(null);
  const importId = useRef("");
  const client = useQueryClient();
  useEffect(() => () => running.current?.abort(), []);

  const run = useCallback(
    async (begin: (signal: AbortSignal) => Promise<Operation>, dryRun: boolean) => {
      running.current?.abort();
      const { signal } = (running.current = new AbortController());
      try {
        const operation = await begin(signal);
        const report = await followImport(
          operation,
          ({ id, state: queue, stage: reported, progress }) => {
            const stage = queue === "queued" ? words.waiting : reported || words.reading;
            if (!signal.aborted) dispatch({ type: "progressed", operationId: id, stage, progress });
          },
          signal,
        );
        if (!signal.aborted) dispatch({ type: "ended", report });
      } catch (error) {
        if (!signal.aborted) dispatch({ type: "failed", error: error as Error });
      }
      if (!dryRun) await refetchImported(client);
    },
    [client],
  );

  const start = (files: readonly PickedFile[], source: SourceOrAuto, dryRun: boolean) => {
    dispatch({ type: "started", files, source, dryRun });
    const id = (importId.current = randomId());
    void run((signal) => sendFiles(files, source, dryRun, id, signal), dryRun);
  };
  const pick = (files: readonly PickedFile[]) => {
    const chosen = picked(files);
    if (Array.isArray(chosen)) start(chosen, "auto", true);
    else dispatch({ type: "refused", problem: chosen });
  };
  const cancel = () => {
    if (state.step !== "work") return;
    const { operationId } = state;
    running.current?.abort();
    dispatch({ type: "canceled" });
    const canceled = operationId === null ? cancelUpload(importId.current) : cancelImport(operationId);
    void canceled.catch(toastProblem);
  };
  const reset = () => {
    running.current?.abort();
    dispatch({ type: "reset" });
  };
  useResumed(run, dispatch);
  return { state, pick, start, cancel, reset };
}

/** After a reload, follow the import that goes on in the background. */
function useResumed(
  run: (begin: () => Promise<Operation>, dryRun: boolean) => Promise<void>,
  dispatch: (action: Parameters<typeof importReducer>[1]) => void,
) {
  const client = useQueryClient();
  useEffect(() => {
    let isCurrent = true;
    const resume = (operation: Operation | null) => {
      if (!isCurrent || operation === null) return;
      dispatch({ type: "started", files: [], source: "auto", dryRun: false });
      void run(() => Promise.resolve(operation), false);
    };
    client.query(runningImportQuery).then(resume, () => undefined);
    return () => {
      isCurrent = false;
    };
  }, [client, run, dispatch]);
}

async function refetchImported(client: ReturnType<typeof useQueryClient>): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: keys.memory }),
    client.invalidateQueries({ queryKey: keys.conversations }),
    client.invalidateQueries({ queryKey: ["sessions"] }),
  ]);
}
