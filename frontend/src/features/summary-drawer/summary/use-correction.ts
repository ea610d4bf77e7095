/** Changing the summary by hand: against the version one looks at, with a way back, and never losing what was typed. */

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
import { useDrawer } from "../drawer-context";
import type { Draft } from "./draft";
import { asCorrection, type DrawerLine, linesOf, plainText } from "./lines";

/**
 * `stale`: somebody else changed the summary in the meantime; `present` is the line as they left it, where it is another
 * than the one that was looked at.
 */
export type Outcome = { ok: true } | { ok: false; stale: boolean; message: string; present?: DrawerLine };

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
  function nowOf(line: DrawerLine): DrawerLine | undefined {
    const summary = client.getQueryData(summaryQuery(id).queryKey);
    return summary && linesOf(summary.rolling_summary, line.field).find(({ key }) => key === line.key);
  }

  /** In the place of the line that was looked at, as long as it still says the same. */
  async function replace(old: DrawerLine, line: CorrectedLine | null, said: string): Promise<Outcome> {
    const now = nowOf(old);
    if (now !== undefined && !saysTheSame(now, old)) return otherwise(now);
    if (now === undefined && line === null) return otherwise();
    const outcome = await send({ field: old.field, place: now?.place ?? null, line }, said);
    if (outcome.ok || !outcome.stale) return outcome;
    const present = nowOf(old);
    return present === undefined ? outcome : { ...outcome, present };
  }

  function save(draft: Draft, old: DrawerLine | null): Promise<Outcome> {
    const line = asCorrection(draft);
    if (old !== null) return replace(old, line, texts.drawer.summary.saved);
    return send({ field: draft.field, place: null, line }, texts.drawer.summary.added);
  }

  const remove = (line: DrawerLine) => replace(line, null, texts.drawer.summary.removed);

  return { save, remove, isPending };
}

function saysTheSame(one: DrawerLine, other: DrawerLine): boolean {
  return plainText(one) === plainText(other) && one.type === other.type;
}

function otherwise(present?: DrawerLine): Outcome {
  const message = present === undefined ? texts.drawer.summary.goneAlready : texts.drawer.summary.stale;
  return { ok: false, stale: true, message, ...(present && { present }) };
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
