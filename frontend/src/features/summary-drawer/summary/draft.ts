/** The draft of a summary line. */

import type { SummaryField } from "@/api/summary";
import type { DrawerLine } from "./lines";

export type Draft = Pick<DrawerLine, "field" | "text" | "reason" | "term" | "note" | "type">;

export function draftOf({ field, text, reason, term, note, type }: DrawerLine): Draft {
  return { field, text, reason, term, note, type };
}

export function blank(field: SummaryField): Draft {
  return { field, text: "", reason: "", term: "", note: "", type: field === "references" ? "url" : "other" };
}

export function isComplete({ field, text, term }: Draft): boolean {
  return text.trim() !== "" && (field !== "definitions" || term.trim() !== "");
}

export function trimmed(draft: Draft): Draft {
  const { text, reason, term, note } = draft;
  return { ...draft, text: text.trim(), reason: reason.trim(), term: term.trim(), note: note.trim() };
}
