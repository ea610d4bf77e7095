/** A list of results with its count, the legend of its bars, and a button for more of them. */

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { memory } from "@/texts/memory";
import classes from "./find.module.css";
import { Legend } from "./score";
import { FIRST_RESULTS, MAX_RESULTS } from "./search-params";

interface Props {
  /** The number of results, in words. */
  title: string;
  legend: readonly string[];
  isFetching: boolean;
  count: number;
  topK: number;
  onMore: (topK: number) => void;
  /** Above the list. */
  notes?: ReactNode;
  /** The rows. */
  children: ReactNode;
}

export function ResultsCard({ title, legend, isFetching, count, topK, onMore, notes, children }: Props) {
  const hasMore = count >= topK && topK < MAX_RESULTS;
  return (
    <section className={classes.card} aria-busy={isFetching} aria-label={title}>
      <header className={classes.head}>
        <h2>
          <span role="status">{title}</span>
        </h2>
        <Legend names={legend} />
      </header>
      {notes}
      <ol className={classes.hits}>{children}</ol>
      {hasMore && (
        <div className={classes.more}>
          <Button
            size="compact-sm"
            loading={isFetching}
            onClick={() => onMore(topK === FIRST_RESULTS ? FIRST_RESULTS * 2 : MAX_RESULTS)}
          >
            {memory.find.more}
          </Button>
        </div>
      )}
    </section>
  );
}
