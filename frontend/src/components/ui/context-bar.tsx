/**
 * The context as one bar: its parts in the order in which the model reads them, the threshold, and the estimate after
 * compaction.
 */

import clsx from "clsx";
import { count } from "@/lib/format";
import { texts } from "@/texts";
import classes from "./context-bar.module.css";
import { NumberWithSource } from "./number-with-source";

export type Layer =
  | "system"
  | "user"
  | "pins"
  | "topics"
  | "entities"
  | "summary"
  | "earlier"
  | "recent"
  | "retrieved"
  | "current"
  | "free";

export interface BarPart {
  layer: Layer;
  tokens: number;
}

interface Props {
  parts: readonly BarPart[];
  limit: number;
  /** The position in the bar, in tokens, where the live tokens reach the threshold. */
  threshold?: { at: number; live: number } | null;
  /** The size after a compaction. */
  after?: { tokens: number; source: "counted" | "estimated" } | null;
  onChoose?: (layer: Layer) => void;
}

const MIDDLE = 50;

export function ContextBar({ parts, limit, threshold = null, after = null, onChoose }: Props) {
  const used = parts.reduce((sum, part) => sum + (part.layer === "free" ? 0 : part.tokens), 0);
  const whole = Math.max(limit, used, 1);
  return (
    <div className={classes.bar} data-tour="bar">
      {threshold && <Threshold percent={Math.min(100, (100 * threshold.at) / whole)} live={threshold.live} />}
      <div
        role="meter"
        aria-label={texts.drawer.usage.title}
        aria-valuemin={0}
        aria-valuemax={whole}
        aria-valuenow={used}
        aria-valuetext={texts.drawer.usage.meter(used, limit, threshold?.live ?? null)}
      />
      <Strip parts={parts} {...(onChoose && { onChoose })} />
      {after && <After percent={Math.min(100, (100 * after.tokens) / whole)} {...after} />}
    </div>
  );
}

/** Only the segments; a table next to them has the same data as text. */
export function Strip({ parts, onChoose }: Pick<Props, "parts" | "onChoose">) {
  return (
    <div className={classes.strip} aria-hidden="true">
      {parts
        .filter(({ tokens }) => tokens > 0)
        .map(({ layer, tokens }) => {
          const style = { className: clsx(classes.part, `p-${layer}`), style: { flexGrow: tokens } };
          const isChosen = onChoose !== undefined && layer !== "free";
          return isChosen ? (
            <button key={layer} type="button" tabIndex={-1} onClick={() => onChoose(layer)} {...style} />
          ) : (
            <span key={layer} {...style} />
          );
        })}
    </div>
  );
}

/** The label is on the side with more space. */
function Threshold({ percent, live }: { percent: number; live: number }) {
  const isLeft = percent >= MIDDLE;
  const side = isLeft ? { right: `${100 - percent}%` } : { left: `${percent}%` };
  return (
    <div className={classes.threshold} aria-hidden="true">
      <span className={classes.tick} style={{ left: `${percent}%` }} />
      <span className={classes.label} data-side={isLeft ? "left" : "right"} style={side}>
        {texts.drawer.usage.threshold(live)}
      </span>
    </div>
  );
}

function After({
  percent,
  tokens,
  source,
}: {
  percent: number;
  tokens: number;
  source: "counted" | "estimated";
}) {
  return (
    <div className={classes.after}>
      <span className={clsx(classes.ghost, "p-ghost")} style={{ width: `${percent}%` }} aria-hidden="true" />
      <span className={classes.afterLabel}>
        <NumberWithSource value={tokens} source={source} form={count} /> {texts.drawer.usage.after}
      </span>
    </div>
  );
}
