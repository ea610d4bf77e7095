/** The current relevance and its decay curve: a line since the last use, a dot now, dotted from there. */

import { useState } from "react";
import type { MemoryNode } from "@/api/memories";
import { date } from "@/lib/format";
import { memory } from "@/texts/memory";
import classes from "./relevance.module.css";
import shared from "../shared.module.css";

const words = memory.relevance;
const WIDTH = 260;
const HEIGHT = 84;
const DAY_MS = 86_400_000;

type Point = MemoryNode["decay"]["curve"][number];

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
        <DecayFormula node={node} now={now} />
      )}
    </section>
  );
}

function DecayFormula({ node, now }: { node: MemoryNode; now: number }) {
  const { base_relevance, relevance, decay, access_count, last_access, occurred_at } = node;
  const formula = words.formula(
    base_relevance.toFixed(2),
    words.days(Math.round(decay.age_days)),
    decay.half_life_days,
    String(decay.floor),
  );
  const last = date(last_access ?? occurred_at);
  return (
    <>
      <p className={classes.now} title={formula}>
        {words.now(relevance.toFixed(2))}
      </p>
      <DecayCurve curve={decay.curve} floor={decay.floor} now={now} />
      <p className={shared.hint}>{access_count > 0 ? words.used(access_count, last) : words.unused(last)}</p>
      <p className={shared.hint}>
        {formula}. {words.source}
      </p>
    </>
  );
}

function DecayCurve({ curve, floor, now }: { curve: readonly Point[]; floor: number; now: number }) {
  const first = curve[0]?.day ?? 0;
  const last = curve.at(-1)?.day ?? 1;
  const at = curve.find(({ day }) => day === 0)?.relevance ?? 1;
  const later = curve.at(-1)?.relevance ?? at;
  const x = (day: number) => ((day - first) / (last - first)) * WIDTH;
  const y = (relevance: number) => (1 - relevance) * HEIGHT;
  const line = (points: readonly Point[]) =>
    points.map(({ day, relevance }) => `${x(day).toFixed(1)},${y(relevance).toFixed(1)}`).join(" ");
  const name = words.chart(at.toFixed(2), later.toFixed(2), date(dayFrom(now, last)));
  return (
    <figure className={classes.figure}>
      <svg viewBox={`-4 -5 ${WIDTH + 8} ${HEIGHT + 10}`} role="img" aria-label={name}>
        <line className={classes.floor} x1={0} x2={WIDTH} y1={y(floor)} y2={y(floor)} />
        <polyline className={classes.before} points={line(curve.filter(({ day }) => day <= 0))} />
        <polyline className={classes.ahead} points={line(curve.filter(({ day }) => day >= 0))} />
        <circle className={classes.point} cx={x(0)} cy={y(at)} r={4} />
      </svg>
      <figcaption>
        <span>{date(dayFrom(now, first))}</span>
        <span>{words.floor(String(floor))}</span>
        <span>{date(dayFrom(now, last))}</span>
      </figcaption>
    </figure>
  );
}

/** The date that many days from now. */
function dayFrom(now: number, day: number): string {
  return new Date(now + day * DAY_MS).toISOString();
}
