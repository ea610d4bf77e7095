/** The inbox by keyboard: J and K move, other letters decide. */

import { useNavigate } from "react-router";
import { useShell } from "@/components/hooks/shell-context";
import { useSingleKeyShortcuts } from "../use-shortcuts";
import { approvalOf, isDeclinable, isReplacing, quotePath } from "./item-words";
import type { Decisions } from "./use-decisions";
import type { Waiting } from "./use-waiting";

export type Form = "edit" | "merge" | "source";

interface Options {
  waiting: Waiting;
  decisions: Decisions;
  open: (form: Form | null) => void;
  isFormOpen: boolean;
  canDecide: boolean;
}

export function useInboxKeys({ waiting, decisions, open, isFormOpen, canDecide }: Options): void {
  const { openHelp } = useShell();
  const navigate = useNavigate();
  const chosen = () => {
    const target = waiting.target();
    return waiting.selected.length > 0 ? waiting.selected : target === undefined ? [] : [target];
  };
  const reading = {
    "j": () => waiting.move(1),
    "k": () => waiting.move(-1),
    "l": () => waiting.move(1),
    "o": () => {
      const [quote] = waiting.target()?.memory.quotes ?? [];
      if (quote !== undefined) void navigate(quotePath(quote));
    },
    "?": openHelp,
  };
  const deciding = {
    a: () => decisions.decide(chosen(), approvalOf(chosen())),
    s: () => decisions.decide(chosen().filter(isReplacing), "replace"),
    r: () => decisions.decide(chosen().filter(isDeclinable), "decline"),
    e: () => open("edit"),
    m: () => open("merge"),
    x: () => {
      const target = waiting.target();
      if (target !== undefined) waiting.toggle(target.id);
    },
    z: () => decisions.last && decisions.undo(decisions.last.changeId),
  };
  useSingleKeyShortcuts(isFormOpen ? {} : { ...reading, ...(canDecide && deciding) });
}
