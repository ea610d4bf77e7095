/**
 * A number with where it comes from: an estimate carries ≈ and a dotted underline, all others are plain. The word for it
 * stands once beside a group of numbers; who hears them hears it with each.
 */

import { VisuallyHidden } from "@mantine/core";
import { count } from "@/lib/format";
import { texts } from "@/texts";
import classes from "./number-with-source.module.css";

export type NumberSource = "reported" | "counted" | "estimated" | "policy";

interface Props {
  value: number;
  source: NumberSource;
  /** How it is written, if not as a whole number. */
  form?: (value: number) => string;
}

export function Num({ value, source, form = count }: Props) {
  const written = form(value);
  return (
    <span
      className={source === "estimated" ? classes.estimated : classes.plain}
      title={texts.drawer.source[source]}
    >
      {source === "estimated" ? `≈ ${written}` : written}
      <VisuallyHidden> {texts.drawer.source[source].toLowerCase()}</VisuallyHidden>
    </span>
  );
}
