/** The usage plot: a bar per day of input, cached and output tokens, or of cost. */

import { useId } from "react";
import type { UsageDay, UsageToday } from "@/api/usage";
import { money, plural, utcDay } from "@/lib/format";
import { useMedia } from "@/lib/media";
import { settings } from "@/texts/settings";
import { type Bar, type BarPart, barsOf, isInRange, type Measure } from "./bars";
import classes from "./usage.module.css";

const words = settings.usage;
const HEIGHT = 160;
const WIDTH = 768;
/** The viewBox width on a phone, so that bars are not too thin. */
const NARROW = 360;
const GAP = 1;

interface Props {
  days: readonly UsageDay[];
  today: UsageToday;
  measure: Measure;
}

export function Plot({ days, today, measure }: Props) {
  const width = useMedia("(max-width: 767px)") ? NARROW : WIDTH;
  const hatch = useId();
  const limit = measure === "cost" ? today.cost_ceiling_micros : today.token_ceiling;
  const { bars, highest, total, top } = barsOf(days, measure, limit);
  const form = measure === "cost" ? money : tokens;
  const [first, last] = [days[0]?.day ?? today.day, days.at(-1)?.day ?? today.day];
  const column = limit !== null && isInRange(limit, highest?.value ?? 0) ? limit : null;
  return (
    <figure className={classes.plot}>
      <p className={classes.caption}>
        <span>{highest && words.highest(form(highest.value), utcDay(highest.day))}</span>
        {column !== null && <span className={classes.limitName}>{words.ceiling(form(column))}</span>}
      </p>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={words.chart(utcDay(first), utcDay(last), form(total))}
      >
        <Hatch id={hatch} />
        {bars.map((bar, index) => (
          <Column
            key={bar.day}
            bar={bar}
            x={(index * width) / bars.length}
            width={width / bars.length - GAP}
            hatch={hatch}
            text={`${utcDay(bar.day)}: ${form(bar.value)}`}
          />
        ))}
        <line className={classes.ground} x1={0} x2={width} y1={HEIGHT} y2={HEIGHT} />
        {column !== null && <Limit at={HEIGHT * (1 - column / top)} width={width} />}
      </svg>
      <p className={classes.caption}>
        <span>{utcDay(first)}</span>
        <span>{utcDay(last)}</span>
      </p>
      <Legend measure={measure} />
    </figure>
  );
}

interface ColumnProps {
  bar: Bar;
  x: number;
  width: number;
  hatch: string;
  text: string;
}

function Column({ bar, x, width, hatch, text }: ColumnProps) {
  return (
    <g>
      <title>{text}</title>
      {bar.segments.map(({ part, from, share }) => (
        <rect
          key={part}
          className={classes[part]}
          x={x}
          y={HEIGHT * (1 - from - share)}
          width={Math.max(1, width)}
          height={HEIGHT * share}
          {...(part === "cached" && { fill: `url(#${hatch})` })}
        />
      ))}
    </g>
  );
}

function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className={classes.hatchGround} width={4} height={4} />
        <rect className={classes.hatchLine} width={1.5} height={4} />
      </pattern>
    </defs>
  );
}

function Limit({ at, width }: { at: number; width: number }) {
  return <line className={classes.limit} x1={0} x2={width} y1={at} y2={at} />;
}

function Legend({ measure }: { measure: Measure }) {
  if (measure === "cost") return null;
  const parts: Exclude<BarPart, "cost">[] = ["input", "cached", "output"];
  return (
    <ul className={classes.legend}>
      {parts.map((part) => (
        <li key={part}>
          <span className={classes.swatch} data-part={part} aria-hidden="true" /> {words.parts[part]}
        </li>
      ))}
    </ul>
  );
}

function tokens(value: number): string {
  return plural(value, "token");
}
