/** Live tokens over the messages: a line, the threshold dashed, a square for each compaction, dots to the next one. */

import type { Series, SeriesCompaction } from "@/api/series";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { useOpenComparison } from "../history/use-open-comparison";
import classes from "./chart.module.css";

interface Props {
  series: Series;
  live: number;
  threshold: number;
  turns: number | null;
  perTurn: number;
}

const WIDTH = 400;
const HEIGHT = 64;
const FOOT = 10;
/** Messages of a turn: what was said, and the reply. */
const TURN_MESSAGES = 2;

export function Chart({ series, live, threshold, turns, perTurn }: Props) {
  const first = series.points[0]?.index ?? 0;
  const last = series.points.at(-1)?.index ?? 0;
  const ahead = turns === null ? 0 : Math.min(turns * TURN_MESSAGES, (last - first) / 4 + TURN_MESSAGES);
  const highest = Math.max(threshold, live, ...series.points.map((point) => point.live_tokens)) * 1.08;
  const x = (index: number) => ((index - first) / Math.max(1, last + ahead - first)) * WIDTH;
  const y = (tokens: number) => HEIGHT - (tokens / highest) * HEIGHT;
  const present = { index: last, live_tokens: live };
  const line = [...series.points, present]
    .map((point) => `${x(point.index)},${y(point.live_tokens)}`)
    .join(" ");
  const expectation = Math.min(highest, live + (ahead / TURN_MESSAGES) * perTurn);
  return (
    <div className={classes.chart}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + FOOT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.drawer.forecast.chart(last - first + 1, live, threshold)}
      >
        <polygon className={classes.area} points={`${x(first)},${HEIGHT} ${line} ${x(last)},${HEIGHT}`} />
        <polyline className={classes.line} points={line} />
        <line className={classes.threshold} x1={0} x2={WIDTH} y1={y(threshold)} y2={y(threshold)} />
        {ahead > 0 && (
          <line
            className={classes.ahead}
            x1={x(last)}
            y1={y(live)}
            x2={x(last + ahead)}
            y2={y(expectation)}
          />
        )}
      </svg>
      {series.compactions.map((mark) => (
        <Mark key={mark.run_id} mark={mark} at={x(mark.index) / WIDTH} />
      ))}
    </div>
  );
}

function Mark({ mark, at }: { mark: SeriesCompaction; at: number }) {
  const { id, go } = useDrawer();
  const open = useOpenComparison(id, go);
  const name = texts.drawer.forecast.mark(mark.index, mark.tokens_before, mark.tokens_after);
  return (
    <button
      type="button"
      className={classes.mark}
      style={{ left: `${at * 100}%` }}
      aria-label={name}
      title={name}
      onClick={() => open(mark.run_id)}
    />
  );
}
