/** The inbox by keyboard: J and K move, other letters decide. */

import { useNavigate } from "react-router";
import { useShell } from "@/components/hooks/shell-context";
import { useSingleKeyShortcuts } from "../use-shortcuts";
import { approvalOf, isDeclinable, quotePath } from "./item-words";
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
  const { current, selected } = waiting;
  const chosen = selected.length > 0 ? selected : current === undefined ? [] : [current];
  const [first] = chosen;
  const isOne = chosen.length === 1;
  const reading = {
    "j": () => waiting.move(1),
    "k": () => waiting.move(-1),
    "l": () => waiting.move(1),
    "o": () => {
      const [quote] = current?.memory.quotes ?? [];
      if (quote !== undefined) void navigate(quotePath(quote));
    },
    "?": openHelp,
  };
  const deciding = {
    a: () => first && decisions.decide(chosen, isOne ? approvalOf(first) : "approve"),
    s: () => {
      const replacing = chosen.filter(({ replaces }) => replaces.length > 0);
      decisions.decide(replacing, "replace");
    },
    r: () => decisions.decide(chosen.filter(isDeclinable), "decline"),
    e: () => open("edit"),
    m: () => open("merge"),
    x: () => current && waiting.toggle(current.id),
    z: () => decisions.last && decisions.undo(decisions.last.changeId),
  };
  useSingleKeyShortcuts(isFormOpen ? {} : { ...reading, ...(canDecide && deciding) });
}
