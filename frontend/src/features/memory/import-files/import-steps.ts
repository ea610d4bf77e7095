/** The steps of an import, as a pure reducer: choose files, preview, import, report. */

import type { FileReport, PickedFile, SourceOrAuto } from "@/api/import-files";
import type { PickProblem } from "./picked-files";

/** What is being done; `operationId` is known once the files have arrived. */
export interface Work {
  step: "work";
  files: readonly PickedFile[];
  source: SourceOrAuto;
  dryRun: boolean;
  operationId: string | null;
  stage: string;
  progress: number;
}

export type ImportState =
  | { step: "choose"; problem: PickProblem | null; notice: "canceled" | null }
  | Work
  | { step: "preview"; files: readonly PickedFile[]; report: FileReport }
  | { step: "done"; report: FileReport }
  | { step: "failed"; work: Work; error: Error };

export type ImportAction =
  | { type: "refused"; problem: PickProblem }
  | { type: "started"; files: readonly PickedFile[]; source: SourceOrAuto; dryRun: boolean }
  | { type: "progressed"; operationId: string; stage: string; progress: number }
  | { type: "ended"; report: FileReport }
  | { type: "failed"; error: Error }
  | { type: "canceled" }
  | { type: "reset" };

export const CHOOSE: ImportState = { step: "choose", problem: null, notice: null };

export function importReducer(state: ImportState, action: ImportAction): ImportState {
  switch (action.type) {
    case "refused":
      return { step: "choose", problem: action.problem, notice: null };
    case "started": {
      const { files, source, dryRun } = action;
      return { step: "work", files, source, dryRun, operationId: null, stage: "", progress: 0 };
    }
    case "canceled":
      return { step: "choose", problem: null, notice: "canceled" };
    case "reset":
      return CHOOSE;
    default:
      return state.step === "work" ? worked(state, action) : state;
  }
}

/** What a running step becomes. Progress never runs backwards. */
function worked(
  work: Work,
  action: Extract<ImportAction, { type: "progressed" | "ended" | "failed" }>,
): ImportState {
  switch (action.type) {
    case "progressed": {
      const { operationId, stage, progress } = action;
      return { ...work, operationId, stage, progress: Math.max(work.progress, progress) };
    }
    case "ended":
      return work.dryRun
        ? { step: "preview", files: work.files, report: action.report }
        : { step: "done", report: action.report };
    case "failed":
      return { step: "failed", work, error: action.error };
  }
}
