/** The chart of live tokens: a line, the dashed threshold, a marker per compaction, and a dotted forecast. */

import type { Series, SeriesCompaction } from "@/api/series";
import { useMedia } from "@/lib/media";
import { forecast } from "@/texts/drawer-forecast";
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
const MARK_SPACE = 10;
/** The minimum width of a click target. */
const MARK_PX = 24;
const TOUCH_PX = 44;
/** The chart's width in the narrowest drawer. */
const MIN_CHART_PX = 340;
/** Messages of a turn: prompt and reply. */
const TURN_MESSAGES = 2;

export function Chart({ series, live, threshold, turns, perTurn }: Props) {
  const isTouch = useMedia("(pointer: coarse)");
  const first = series.points[0]?.index ?? 0;
  const last = series.points.at(-1)?.index ?? 0;
  const ahead = turns === null ? 0 : Math.min(turns * TURN_MESSAGES, (last - first) / 4 + TURN_MESSAGES);
  const maximum = Math.max(threshold, live, ...series.points.map((point) => point.live_tokens)) * 1.08;
  const x = (index: number) => ((index - first) / Math.max(1, last + ahead - first)) * WIDTH;
  const y = (tokens: number) => HEIGHT - (tokens / maximum) * HEIGHT;
  const latest = { index: last, live_tokens: live };
  const line = [...series.points, latest]
    .map((point) => `${x(point.index)},${y(point.live_tokens)}`)
    .join(" ");
  const forecastTokens = Math.min(maximum, live + (ahead / TURN_MESSAGES) * perTurn);
  return (
    <div className={classes.chart}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + MARK_SPACE}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={forecast.chart(last - first + 1, live, threshold)}
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
            y2={y(forecastTokens)}
          />
        )}
      </svg>
      {groupByDistance(series.compactions, (mark) => x(mark.index) / WIDTH, isTouch ? TOUCH_PX : MARK_PX).map(
        (marks) => (
          <Mark key={marks[0]?.run_id} marks={marks} at={x(marks[0]?.index ?? first) / WIDTH} />
        ),
      )}
    </div>
  );
}

/** A marker; compactions too close to be distinguished share one, which opens the history. */
function Mark({ marks, at }: { marks: SeriesCompaction[]; at: number }) {
  const { id, navigate } = useDrawer();
  const open = useOpenComparison(id, navigate);
  const [only] = marks;
  if (only === undefined) return null;
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
      onClick={() => (marks.length === 1 ? open(only.run_id) : navigate({ name: "history" }))}
    />
  );
}

/** Group items closer than a marker's width, at the position of the first. */
function groupByDistance<T>(marks: readonly T[], at: (mark: T) => number, markPx: number): T[][] {
  const groups: T[][] = [];
  for (const mark of marks.toSorted((one, other) => at(one) - at(other))) {
    const groupStart = groups.at(-1)?.[0];
    if (groupStart !== undefined && at(mark) - at(groupStart) < markPx / MIN_CHART_PX)
      groups.at(-1)?.push(mark);
    else groups.push([mark]);
  }
  return groups;
}
