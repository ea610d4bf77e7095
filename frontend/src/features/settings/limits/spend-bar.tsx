/** Spending relative to a limit, with marks for the warning and for background work; without a limit a number. */

import { settings } from "@/texts/settings";
import classes from "./limits.module.css";

interface Props {
  label: string;
  spent: number;
  ceiling: number | null;
  form: (value: number) => string;
  /** In percent of the limit. */
  marks: { warning: number; background: number };
}

export function SpendBar({ label, spent, ceiling, form, marks }: Props) {
  const words = settings.limits;
  const text = ceiling === null ? words.noCeiling(form(spent)) : words.spent(form(spent), form(ceiling));
  return (
    <div>
      <p className={classes.amount}>
        <span className={classes.label}>{label}</span> <span>{text}</span>
      </p>
      {ceiling !== null && <Bar {...{ label, spent, ceiling, form, marks }} />}
    </div>
  );
}

function Bar({ label, spent, ceiling, form, marks }: Props & { ceiling: number }) {
  const share = Math.min(1, spent / Math.max(1, ceiling));
  const percent = Math.round(100 * share);
  return (
    <div
      className={classes.bar}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={settings.limits.meter(form(spent), form(ceiling), marks.warning, marks.background)}
    >
      <div className={classes.track}>
        <div
          className={classes.fill}
          data-tone={toneOf(100 * share, marks)}
          style={{ transform: `scaleX(${share})` }}
        />
      </div>
      <div className={classes.mark} data-mark="warning" style={{ insetInlineStart: `${marks.warning}%` }} />
      <div
        className={classes.mark}
        data-mark="background"
        style={{ insetInlineStart: `${marks.background}%` }}
      />
    </div>
  );
}

function toneOf(percent: number, { warning }: Props["marks"]): string {
  if (percent >= 100) return "bad";
  return percent >= warning ? "warn" : "plain";
}
