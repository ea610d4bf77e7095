/** How relevant it is now, and how that came and goes on: a line from its last use, a circle now, dots from there. */

import { useState } from "react";
import type { MemoryNode } from "@/api/memories";
import { date } from "@/lib/format";
import { memory } from "@/texts/memory";
import { type Curve, curveOf, dayFrom, type Point } from "./curve";
import classes from "./relevance.module.css";
import shared from "../shared.module.css";

const words = memory.relevance;
const WIDTH = 260;
const HEIGHT = 84;

export function Relevance({ node }: { node: MemoryNode }) {
  const [now] = useState(() => Date.now());
  const { half_life_days, exempt } = node.decay;
  return (
    <section className={shared.part}>
      <header className={classes.head}>
        <h2>{words.title}</h2>
        {!exempt && <span>{words.halfLife(half_life_days)}</span>}
      </header>
      {exempt ? (
        <>
          <p className={classes.now}>{words.exempt}</p>
          <p className={shared.hint}>{words.exemptWhy}</p>
        </>
      ) : (
        <Fading node={node} now={now} />
      )}
    </section>
  );
}

function Fading({ node, now }: { node: MemoryNode; now: number }) {
  const curve = curveOf(node, now);
  const { base_relevance, decay, access_count, last_access, occurred_at } = node;
  const formula = words.formula(
    base_relevance.toFixed(2),
    words.days(Math.round(curve.age)),
    decay.half_life_days,
    String(decay.floor),
  );
  const last = date(last_access ?? occurred_at);
  return (
    <>
      <p className={classes.now} title={formula}>
        {words.now(curve.now.toFixed(2))}
      </p>
      <Drawing curve={curve} floor={decay.floor} now={now} />
      <p className={shared.hint}>{access_count > 0 ? words.used(access_count, last) : words.unused(last)}</p>
      <p className={shared.hint}>
        {formula}. {words.source}
      </p>
    </>
  );
}

function Drawing({ curve, floor, now }: { curve: Curve; floor: number; now: number }) {
  const first = curve.before[0]?.day ?? 0;
  const last = curve.ahead.at(-1)?.day ?? 1;
  const x = (day: number) => ((day - first) / (last - first)) * WIDTH;
  const y = (relevance: number) => (1 - relevance) * HEIGHT;
  const line = (points: readonly Point[]) =>
    points.map(({ day, relevance }) => `${x(day).toFixed(1)},${y(relevance).toFixed(1)}`).join(" ");
  const name = words.chart(curve.now.toFixed(2), curve.later.toFixed(2), date(dayFrom(now, last)));
  return (
    <figure className={classes.figure}>
      <svg viewBox={`-4 -5 ${WIDTH + 8} ${HEIGHT + 10}`} role="img" aria-label={name}>
        <line className={classes.floor} x1={0} x2={WIDTH} y1={y(floor)} y2={y(floor)} />
        <polyline className={classes.before} points={line(curve.before)} />
        <polyline className={classes.ahead} points={line(curve.ahead)} />
        <circle className={classes.point} cx={x(0)} cy={y(curve.now)} r={4} />
      </svg>
      <figcaption>
        <span>{date(dayFrom(now, first))}</span>
        <span>{words.floor(String(floor))}</span>
        <span>{date(dayFrom(now, last))}</span>
      </figcaption>
    </figure>
  );
}
