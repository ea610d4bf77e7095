/** A score as a bar with three segments, and as a table of all of its parts. */

import { VisuallyHidden } from "@mantine/core";
import { memory } from "@/texts/memory";
import type { ScoreBreakdown } from "./score-breakdown";
import classes from "./score.module.css";

const words = memory.find;
const FILLS = ["solid", "hatched", "framed"] as const;

export function Legend({ names }: { names: readonly string[] }) {
  return (
    <ul className={classes.legend}>
      {names.map((name, index) => (
        <li key={name}>
          <span className={classes.swatch} data-fill={FILLS[index]} aria-hidden="true" /> {name}
        </li>
      ))}
    </ul>
  );
}

export function ScoreBar({ breakdown, highest }: { breakdown: ScoreBreakdown; highest: number }) {
  const { segments, score } = breakdown;
  return (
    <div className={classes.bar}>
      <div className={classes.track} aria-hidden="true">
        {FILLS.map((fill, index) => {
          const value = Math.max(0, segments[index] ?? 0);
          const width = `${(value / (highest || 1)) * 100}%`;
          return <span key={fill} data-fill={fill} hidden={value === 0} style={{ width }} />;
        })}
      </div>
      {score !== undefined && (
        <strong>
          <VisuallyHidden>{words.score} </VisuallyHidden>
          {score}
        </strong>
      )}
    </div>
  );
}

export function ScoreTable({ breakdown: { parts, totals } }: { breakdown: ScoreBreakdown }) {
  const maximum = Math.max(...parts.map(({ value }) => Math.abs(value)), 0.001);
  return (
    <table className={classes.table}>
      <caption>{words.partsOf}</caption>
      <thead>
        <tr>
          <th scope="col">{words.part}</th>
          <th scope="col">{words.value}</th>
          <td aria-hidden="true" />
        </tr>
      </thead>
      <tbody>
        {parts.map(({ name, value, shown }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{shown}</td>
            <td aria-hidden="true">
              <span className={classes.line} style={{ width: `${(Math.max(0, value) / maximum) * 100}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {totals.map(({ name, shown, hint }) => (
          <tr key={name}>
            <th scope="row" title={hint}>
              {name}
            </th>
            <td>{shown}</td>
            <td aria-hidden="true" />
          </tr>
        ))}
      </tfoot>
    </table>
  );
}
