import type { ReactNode } from "react";

/** The rows with the form in the place of the one that it is about, else before or behind them; always the same form. */
export function withForm(rows: ReactNode[], form: ReactNode, at: number, isNew = false): ReactNode[] {
  if (at >= 0) return rows.with(at, form);
  return isNew ? [form, ...rows] : [...rows, form];
}
