/** Summary lines in the form that the drawer shows and edits, with field and position. */

import type { CorrectedLine, ReferenceType, RollingSummary, SummaryField } from "@/api/summary";
import { type CharacterSizes, textTokens } from "@/lib/token-estimate";

export const FIELDS: readonly SummaryField[] = [
  "goals",
  "decisions",
  "requirements",
  "current_plan",
  "open_questions",
  "definitions",
  "references",
];

/** `key` identifies a line within the summary; `reason`, `term` and `note` are empty where the field has none. */
export interface DrawerLine {
  key: string;
  field: SummaryField;
  position: number;
  text: string;
  reason: string;
  term: string;
  note: string;
  type: ReferenceType;
  sources: readonly string[];
  corrected: boolean;
  reported: boolean;
}

const BLANK = { reason: "", term: "", note: "", type: "other" } as const;

export function linesOf(summary: RollingSummary, field: SummaryField): DrawerLine[] {
  const lines = rawLines(summary, field);
  return lines.map((line, position) => ({
    ...line,
    field,
    position,
    key: `${field}:${line.term}${line.text}`,
  }));
}

type RawLine = Omit<DrawerLine, "field" | "position" | "key">;

function rawLines(summary: RollingSummary, field: SummaryField): RawLine[] {
  if (field === "definitions")
    return Object.entries(summary.definitions)
      .sort(([, one], [, other]) => one.place - other.place)
      .map(([term, { text, sources, corrected, reported }]) => ({
        ...BLANK,
        term,
        text,
        sources,
        corrected,
        reported,
      }));
  if (field === "references")
    return summary.references.map(({ value, note, type, sources, corrected, reported }) => ({
      ...BLANK,
      text: value,
      note,
      type,
      sources,
      corrected,
      reported,
    }));
  if (field === "decisions") return summary.decisions.map((line) => ({ ...BLANK, ...line }));
  return summary[field].map((line) => ({ ...BLANK, ...line }));
}

/** The line in the API's format. */
export function asCorrection(
  line: Pick<DrawerLine, "field" | "text" | "reason" | "term" | "note" | "type">,
): CorrectedLine {
  const { field, text, reason, term, note, type } = line;
  if (field === "definitions") return { term, text };
  if (field === "references") return { type, value: text, ...(note && { note }) };
  if (field === "decisions") return { text, ...(reason && { reason }) };
  return { text };
}

/** The whole line as plain text. */
export function plainText({ field, text, reason, term, note }: DrawerLine): string {
  if (field === "definitions") return `${term}: ${text}`;
  if (field === "references") return note === "" ? text : `${text}, ${note}`;
  return reason === "" ? text : `${text} (${reason})`;
}

/** An estimate; the server counts only the summary as a whole. */
export function estimateOf(line: DrawerLine, sizes: CharacterSizes): number {
  return textTokens(plainText(line), sizes);
}
