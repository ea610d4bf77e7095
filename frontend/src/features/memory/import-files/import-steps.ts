/** The steps of an import, as a pure reducer: choose files, preview, import, report. */

import type { FileReport, ImportRequest, PickedFile } from "@/api/import-files";
import { Unreachable } from "@/api/problems";
import type { Sent } from "@/api/upload";
import type { PickProblem } from "./picked-files";

/** What is being done. */
export interface Work extends ImportRequest {
  step: "work";
  /** Null once the files have arrived. */
  upload: Sent | null;
  stage: string;
  progress: number;
}

export type Canceled = "nothing_imported" | "rest_not_imported";

export type ImportState =
  | { step: "choose"; problem: PickProblem | null; notice: Canceled | null }
  | Work
  | { step: "preview"; files: readonly PickedFile[]; report: FileReport }
  | { step: "done"; report: FileReport }
  | { step: "failed"; work: Work; error: Error };

export type ImportAction =
  | { type: "refused"; problem: PickProblem }
  | { type: "started"; request: ImportRequest; upload: Sent | null }
  | { type: "sent"; importId: string; sent: Sent }
  | { type: "progressed"; stage: string; progress: number }
  | { type: "ended"; report: FileReport }
  | { type: "failed"; error: Error }
  | { type: "canceled" }
  | { type: "reset" };

export const CHOOSE: ImportState = { step: "choose", problem: null, notice: null };

export function importReducer(state: ImportState, action: ImportAction): ImportState {
  switch (action.type) {
    case "refused":
      return { step: "choose", problem: action.problem, notice: null };
    case "started":
      return { ...action.request, step: "work", upload: action.upload, stage: "", progress: 0 };
    case "reset":
      return CHOOSE;
    default:
      return state.step === "work" ? worked(state, action) : state;
  }
}

/** How far the upload was when the connection was lost, or null if something else failed. */
export function interruptedAt({ upload }: Work, error: Error): Sent | null {
  return error instanceof Unreachable ? upload : null;
}

/** What a running step becomes. Progress never runs backwards. */
function worked(
  work: Work,
  action: Extract<ImportAction, { type: "sent" | "progressed" | "ended" | "failed" | "canceled" }>,
): ImportState {
  switch (action.type) {
    case "sent": {
      const { loaded, total } = action.sent;
      if (action.importId !== work.importId) return work;
      return { ...work, upload: { loaded: Math.max(work.upload?.loaded ?? 0, loaded), total } };
    }
    case "progressed": {
      const { stage, progress } = action;
      return { ...work, upload: null, stage, progress: Math.max(work.progress, progress) };
    }
    case "canceled": {
      const isNothing = work.dryRun || work.upload !== null;
      return { step: "choose", problem: null, notice: isNothing ? "nothing_imported" : "rest_not_imported" };
    }
    case "ended":
      return work.dryRun
        ? { step: "preview", files: work.files, report: action.report }
        : { step: "done", report: action.report };
    case "failed":
      return { step: "failed", work, error: action.error };
  }
}
