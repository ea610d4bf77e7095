/** Run an import: upload the files, follow the operation, cancel it. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useRef } from "react";
import {
  followImport,
  type ImportRequest,
  type PickedFile,
  runningImportQuery,
  type SourceOrAuto,
} from "@/api/import-files";
import { keys } from "@/api/keys";
import type { Sent } from "@/api/upload";
import { problemMessage, toast } from "@/components/feedback/toast";
import { randomId } from "@/lib/random-id";
import { importFiles as words } from "@/texts/import-files";
import { CHOOSE, importReducer, type ImportState } from "./import-steps";
import { picked, totalBytes } from "./picked-files";
import { useUpload } from "./use-upload";

type Operation = Parameters<typeof followImport>[0];
type Begin = (signal: AbortSignal) => Promise<Operation>;

type How = Pick<ImportRequest, "dryRun" | "confirmed">;

/** A preview shows all that a confirmed import would do. */
export const PREVIEW: How = { dryRun: true, confirmed: true };

export interface FileImport {
  state: ImportState;
  /** Check the files, and start the preview. */
  pick: (files: readonly PickedFile[]) => void;
  start: (files: readonly PickedFile[], source: SourceOrAuto, how: How) => void;
  cancel: () => void;
  reset: () => void;
}

export function useFileImport(): FileImport {
  const [state, dispatch] = useReducer(importReducer, CHOOSE);
  const running = useRef<AbortController | null>(null);
  const { upload, discard } = useUpload();
  const client = useQueryClient();
  useEffect(() => () => running.current?.abort(), []);

  const run = useCallback(
    async (begin: Begin, dryRun: boolean) => {
      running.current?.abort();
      const { signal } = (running.current = new AbortController());
      try {
        const operation = await begin(signal);
        const report = await followImport(
          operation,
          ({ state: queue, stage: reported, progress }) => {
            const stage = queue === "queued" ? words.waiting : reported || words.reading;
            if (!signal.aborted) dispatch({ type: "progressed", stage, progress });
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

  const start: FileImport["start"] = (files, source, how) => {
    const request = { files, source, ...how, importId: randomId() };
    dispatch({ type: "started", request, upload: { loaded: 0, total: totalBytes(files) } });
    const onSent = (sent: Sent) => dispatch({ type: "sent", importId: request.importId, sent });
    void run((signal) => upload(request, onSent, signal), how.dryRun);
  };
  const pick = (files: readonly PickedFile[]) => {
    const chosen = picked(files);
    if (Array.isArray(chosen)) start(chosen, "auto", PREVIEW);
    else dispatch({ type: "refused", problem: chosen });
  };
  const cancel = () => {
    if (state.step !== "work") return;
    running.current?.abort();
    dispatch({ type: "canceled" });
    discardOrSay(state.importId);
  };
  const discardOrSay = (importId: string) => {
    discard(importId).catch((error: unknown) => {
      const action = { label: words.cancelAgain, run: () => discardOrSay(importId) };
      toast(problemMessage(error), { tone: "bad", action });
    });
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
  run: (begin: Begin, dryRun: boolean) => Promise<void>,
  dispatch: (action: Parameters<typeof importReducer>[1]) => void,
) {
  const client = useQueryClient();
  useEffect(() => {
    let isCurrent = true;
    const resume = (operation: Operation | null) => {
      if (!isCurrent || operation === null) return;
      const importId = operation.subject;
      const request = { files: [], source: "auto", dryRun: false, confirmed: false, importId } as const;
      dispatch({ type: "started", request, upload: null });
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
