/** A thin bar with a value and an optional tick at its limit. */

import classes from "./meter.module.css";

interface Props {
  /** In percent. */
  value: number;
  label: string;
  text: string;
  tick?: number;
  tone?: "plain" | "live";
  role?: "meter" | "progressbar";
}

export function Meter({ value, label, text, tick, tone = "plain", role = "meter" }: Props) {
  const clamp = Math.max(0, Math.min(100, value));
  return (
    <div
      className={classes.meter}
      role={role}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={clamp}
      aria-valuetext={text}
    >
      <div className={classes.track}>
        <div className={classes.fill} data-tone={tone} style={{ transform: `scaleX(${clamp / 100})` }} />
      </div>
      {tick !== undefined && <div className={classes.tick} style={{ insetInlineStart: `${tick}%` }} />}
    </div>
  );
}
