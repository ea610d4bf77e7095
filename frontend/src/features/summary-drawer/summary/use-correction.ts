/** Correct the summary: against the version that the user saw, with an undo, and without losing input. */

import { useQueryClient } from "@tanstack/react-query";
import { isProblem, Problem } from "@/api/problems";
import {
  type CorrectedLine,
  type Correction,
  summaryQuery,
  useCorrectSummary,
  useUndoCorrection,
} from "@/api/summary";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import { useDrawer } from "../drawer-context";
import type { Draft } from "./draft";
import { asCorrection, type DrawerLine, linesOf, plainText } from "./lines";

/**
 * `stale`: somebody else changed the summary; `current` is the line as it is now, if it differs from the one that the
 * user saw.
 */
export type CorrectionResult =
  { ok: true } | { ok: false; stale: boolean; message: string; current?: DrawerLine };

export function useCorrection() {
  const { id } = useDrawer();
  const client = useQueryClient();
  const { mutateAsync, isPending } = useCorrectSummary(id);
  const { mutateAsync: undo } = useUndoCorrection(id);

  async function send(correction: Correction, confirmation: string): Promise<CorrectionResult> {
    const version = client.getQueryData(summaryQuery(id).queryKey)?.version ?? 0;
    try {
      const corrected = await mutateAsync({ version, correction });
      const run = () => void undo(corrected).then(onUndone, toastProblem);
      toast(confirmation, { tone: "ok", action: { label: texts.common.undo, run } });
      return { ok: true };
    } catch (error) {
      return { ok: false, ...failureOf(error) };
    }
  }

  /** The current version of the line, at any position. */
  function currentLine(line: DrawerLine): DrawerLine | undefined {
    const summary = client.getQueryData(summaryQuery(id).queryKey);
    return summary && linesOf(summary.rolling_summary, line.field).find(({ key }) => key === line.key);
  }

  /** Replace the line at its current position if its text is unchanged. */
  async function replace(
    base: DrawerLine,
    line: CorrectedLine | null,
    confirmation: string,
  ): Promise<CorrectionResult> {
    const latest = currentLine(base);
    if (latest !== undefined && !hasSameText(latest, base)) return conflict(latest);
    if (latest === undefined && line === null) return conflict();
    const outcome = await send({ field: base.field, place: latest?.position ?? null, line }, confirmation);
    if (outcome.ok || !outcome.stale) return outcome;
    const current = currentLine(base);
    return current === undefined ? outcome : { ...outcome, current };
  }

  function save(draft: Draft, base: DrawerLine | null): Promise<CorrectionResult> {
    const line = asCorrection(draft);
    if (base !== null) return replace(base, line, drawerLists.summary.saved);
    return send({ field: draft.field, place: null, line }, drawerLists.summary.added);
  }

  const remove = (line: DrawerLine) => replace(line, null, drawerLists.summary.removed);

  return { save, remove, isPending };
}

function hasSameText(one: DrawerLine, other: DrawerLine): boolean {
  return plainText(one) === plainText(other) && one.type === other.type;
}

function conflict(current?: DrawerLine): CorrectionResult {
  const message = current === undefined ? drawerLists.summary.goneAlready : drawerLists.summary.stale;
  return { ok: false, stale: true, message, ...(current && { current }) };
}

function onUndone(): void {
  toast(drawerLists.summary.undone, { tone: "ok" });
}

function failureOf(error: unknown): { stale: boolean; message: string } {
  const { summary } = drawerLists;
  if (error instanceof Problem && (error.status === 412 || isProblem(error, "no_such_line")))
    return { stale: true, message: summary.stale };
  if (isProblem(error, "field_full"))
    return { stale: false, message: summary.full(Number((error as Problem).details["limit"] ?? 0)) };
  if (isProblem(error, "line_exists")) return { stale: false, message: summary.exists };
  if (error instanceof Problem && error.status === 400) return { stale: false, message: error.message };
  toastProblem(error);
  return { stale: false, message: "" };
}
