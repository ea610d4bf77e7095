/** Changing the summary by hand: against the version one looks at, with a way back, and never losing what was typed. */

import { useQueryClient } from "@tanstack/react-query";
import { isProblem, Problem } from "@/api/problems";
import { type Correction, summaryQuery, useCorrectSummary, useUndoCorrection } from "@/api/summary";
import { toast, toastProblem } from "@/components/toast";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { asCorrection, type DrawerLine, linesOf } from "./lines";

/** `stale`: somebody else changed the summary in the meantime. */
export type Outcome = { ok: true } | { ok: false; stale: boolean; message: string };

export type Draft = Pick<DrawerLine, "field" | "text" | "reason" | "term" | "note" | "type">;

export function useCorrection() {
  const { id } = useDrawer();
  const client = useQueryClient();
  const { mutateAsync, isPending } = useCorrectSummary(id);
  const { mutateAsync: undo } = useUndoCorrection(id);

  async function send(correction: Correction, said: string): Promise<Outcome> {
    const version = client.getQueryData(summaryQuery(id).queryKey)?.version ?? 0;
    try {
      const corrected = await mutateAsync({ version, correction });
      const run = () => void undo(corrected).then(undone, toastProblem);
      toast(said, { tone: "ok", action: { label: texts.common.undo, run } });
      return { ok: true };
    } catch (error) {
      return { ok: false, ...refusal(error) };
    }
  }

  /** The line as it stands now, wherever it has gone. */
  function placeOf(line: DrawerLine): number | null {
    const summary = client.getQueryData(summaryQuery(id).queryKey);
    const same = summary && linesOf(summary.rolling_summary, line.field).find(({ key }) => key === line.key);
    return same?.place ?? null;
  }

  function save(draft: Draft, old: DrawerLine | null): Promise<Outcome> {
    const place = old === null ? null : placeOf(old);
    const said = old === null ? texts.drawer.summary.added : texts.drawer.summary.saved;
    return send({ field: draft.field, place, line: asCorrection(draft) }, said);
  }

  async function remove(line: DrawerLine): Promise<Outcome> {
    const place = placeOf(line);
    if (place === null) return { ok: false, stale: true, message: texts.drawer.summary.gone };
    return send({ field: line.field, place, line: null }, texts.drawer.summary.removed);
  }

  return { save, remove, isPending };
}

function undone(): void {
  toast(texts.drawer.summary.undone, { tone: "ok" });
}

function refusal(error: unknown): { stale: boolean; message: string } {
  const { summary } = texts.drawer;
  if (error instanceof Problem && (error.status === 412 || isProblem(error, "no_such_line")))
    return { stale: true, message: summary.stale };
  if (isProblem(error, "field_full"))
    return { stale: false, message: summary.full(Number((error as Problem).details["limit"] ?? 0)) };
  if (isProblem(error, "line_exists")) return { stale: false, message: summary.exists };
  if (error instanceof Problem && error.status === 400) return { stale: false, message: error.message };
  toastProblem(error);
  return { stale: false, message: "" };
}
