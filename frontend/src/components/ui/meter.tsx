/** A thin line filled as far as its value, with a tick where its limit lies. */

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
  const within = Math.max(0, Math.min(100, value));
  return (
    <div
      className={classes.meter}
      role={role}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={within}
      aria-valuetext={text}
    >
      <div className={classes.track}>
        <div className={classes.fill} data-tone={tone} style={{ transform: `scaleX(${within / 100})` }} />
      </div>
      {tick !== undefined && <div className={classes.tick} style={{ insetInlineStart: `${tick}%` }} />}
    </div>
  );
}
