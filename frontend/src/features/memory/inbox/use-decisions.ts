/** Decisions with their notices; the last one can be undone. */

import { useState } from "react";
import { useNavigate } from "react-router";
import { type Decision, type InboxItem, useDecide, useUndoDecision, type Verdict } from "@/api/inbox";
import { Problem } from "@/api/problems";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { inbox } from "@/texts/inbox";
import { itemPath } from "../routes";
import { titleOfMemory } from "./item-words";

export interface LastDecision {
  changeId: string;
  verdict: string;
  text: string;
}

export function useDecisions(leave: (ids: readonly string[]) => void) {
  const [last, setLast] = useState<LastDecision | null>(null);
  const decide = useDecide();
  const undoing = useUndoDecision();
  const navigate = useNavigate();
  const undo = (changeId: string) => {
    const undone = ({ ids: [first] }: { ids: string[] }) => {
      setLast((before) => (before?.changeId === changeId ? null : before));
      toast(inbox.undone);
      if (first !== undefined) void navigate(itemPath(first), { replace: true });
    };
    void undoing.mutateAsync(changeId).then(undone, toastProblem);
  };
  /** Go on, and offer an undo. */
  const settled = (decision: Decision, verdict: string, item: InboxItem, done: string) => {
    const { change_id: changeId, ids, skipped } = decision;
    leave([...ids, ...skipped.map(({ id }) => id)]);
    if (changeId !== null) setLast({ changeId, verdict, text: titleOfMemory(item.memory) });
    const action = changeId === null ? undefined : { label: texts.common.undo, run: () => undo(changeId) };
    const message = skipped.length > 0 ? inbox.skipped(done, skipped.length) : done;
    toast(message, { tone: "ok", ...(action && { action }) });
  };
  return {
    last,
    undo,
    settled,
    isPending: decide.isPending || undoing.isPending,
    decide: (items: readonly InboxItem[], verdict: Verdict) => {
      const [first] = items;
      if (first === undefined || decide.isPending) return;
      const done = (decision: Decision) =>
        settled(decision, verdict, first, inbox.done[verdict](decision.ids.length));
      void decide.mutateAsync({ items, verdict }).then(done, toastRefusal);
    },
  };
}

export type Decisions = ReturnType<typeof useDecisions>;

export function toastRefusal(error: unknown): void {
  if (error instanceof Problem && error.code === "already_decided") toast(inbox.gone);
  else toastProblem(error);
}
