/** Live tokens over the messages: a line, the threshold dashed, a square for each compaction, dots to the next one. */

import type { Series, SeriesCompaction } from "@/api/series";
import { useMedia } from "@/lib/media";
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
/** As wide as a mark may be pressed. */
const MARK_PX = 24;
const TOUCH_PX = 44;
/** Of the chart, in a drawer as narrow as it gets. */
const NARROWEST_PX = 340;
/** Messages of a turn: what was said, and the reply. */
const TURN_MESSAGES = 2;

export function Chart({ series, live, threshold, turns, perTurn }: Props) {
  const isTouch = useMedia("(pointer: coarse)");
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
      {joined(series.compactions, (mark) => x(mark.index) / WIDTH, isTouch ? TOUCH_PX : MARK_PX).map(
        (marks) => (
          <Mark key={marks[0]?.run_id} marks={marks} at={x(marks[0]?.index ?? first) / WIDTH} />
        ),
      )}
    </div>
  );
}

/** Compactions that stand too near to one another to be told apart are one mark, which opens the history. */
function Mark({ marks, at }: { marks: SeriesCompaction[]; at: number }) {
  const { id, go } = useDrawer();
  const open = useOpenComparison(id, go);
  const [only] = marks;
  if (only === undefined) return null;
  const { forecast } = texts.drawer;
  const name =
    marks.length === 1
      ? forecast.mark(only.index, only.tokens_before, only.tokens_after)
      : forecast.marks(marks.length, only.index, marks.at(-1)?.index ?? only.index);
  return (
    <button
      type="button"
      className={classes.mark}
      style={{ left: `${at * 100}%` }}
      aria-label={name}
      title={name}
      onClick={() => (marks.length === 1 ? open(only.run_id) : go({ name: "history" }))}
    />
  );
}

/** In groups that are no wider than a mark, each in the place of its first. */
function joined<T>(marks: readonly T[], at: (mark: T) => number, markPx: number): T[][] {
  const groups: T[][] = [];
  for (const mark of marks.toSorted((one, other) => at(one) - at(other))) {
    const before = groups.at(-1)?.[0];
    if (before !== undefined && at(mark) - at(before) < markPx / NARROWEST_PX) groups.at(-1)?.push(mark);
    else groups.push([mark]);
  }
  return groups;
}
