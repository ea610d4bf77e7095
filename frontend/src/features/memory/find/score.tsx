/** A score as a bar with three segments, and as a table of all features. */

import type { Hit } from "@/api/find";
import { memory } from "@/texts/memory";
import { partsOf, SHARES, sharesOf, sumOf } from "./score-breakdown";
import classes from "./score.module.css";

const words = memory.find;

export function Legend() {
  return (
    <ul className={classes.legend}>
      {SHARES.map((share) => (
        <li key={share}>
          <span className={classes.swatch} data-share={share} aria-hidden="true" /> {words.shares[share]}
        </li>
      ))}
    </ul>
  );
}

export function ScoreBar({ hit, highest }: { hit: Hit; highest: number }) {
  const shares = sharesOf(hit);
  return (
    <div className={classes.bar}>
      <div className={classes.track} aria-hidden="true">
        {SHARES.map((share) => (
          <span
            key={share}
            data-share={share}
            hidden={shares[share] <= 0}
            style={{ width: `${(Math.max(0, shares[share]) / (highest || 1)) * 100}%` }}
          />
        ))}
      </div>
    </div>
  );
}

export function ScoreTable({ hit }: { hit: Hit }) {
  const parts = partsOf(hit);
  const maximum = Math.max(...parts.map(([, value]) => Math.abs(value)), 0.001);
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
        {parts.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{words.partNames[name] ?? name}</th>
            <td>{value.toFixed(3)}</td>
            <td aria-hidden="true">
              <span className={classes.line} style={{ width: `${(Math.max(0, value) / maximum) * 100}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{words.sum}</th>
          <td>{sumOf(hit).toFixed(3)}</td>
          <td aria-hidden="true" />
        </tr>
        <tr>
          <th scope="row">{words.relevance}</th>
          <td>× {hit.relevance.toFixed(3)}</td>
          <td aria-hidden="true" />
        </tr>
        <tr>
          <th scope="row" title={words.scoreIs}>
            {words.score}
          </th>
          <td>{hit.score.toFixed(3)}</td>
          <td aria-hidden="true" />
        </tr>
      </tfoot>
    </table>
  );
}
