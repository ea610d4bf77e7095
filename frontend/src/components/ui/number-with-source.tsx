/**
 * A number with its source: estimates have a ≈ prefix and a dotted underline. Sighted readers see the source once per
 * group of numbers; screen readers hear it with each.
 */

import { VisuallyHidden } from "@mantine/core";
import { count } from "@/lib/format";
import { texts } from "@/texts";
import classes from "./number-with-source.module.css";

export type NumberSource = "reported" | "counted" | "estimated" | "policy";

interface Props {
  value: number;
  source: NumberSource;
  /** Formats the value if it is not a plain integer. */
  form?: (value: number) => string;
}

export function NumberWithSource({ value, source, form = count }: Props) {
  const formatted = form(value);
  return (
    <span
      className={source === "estimated" ? classes.estimated : classes.plain}
      title={texts.drawer.source[source]}
    >
      {source === "estimated" ? `≈ ${formatted}` : formatted}
      <VisuallyHidden> {texts.drawer.source[source].toLowerCase()}</VisuallyHidden>
    </span>
  );
}
