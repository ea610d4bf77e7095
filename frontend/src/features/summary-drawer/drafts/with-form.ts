import type { ReactNode } from "react";

/** Insert the form in place of the edited row, otherwise at the start or the end; React keeps its identity. */
export function withForm(rows: ReactNode[], form: ReactNode, at: number, isNew = false): ReactNode[] {
  if (at >= 0) return rows.with(at, form);
  return isNew ? [form, ...rows] : [...rows, form];
}
