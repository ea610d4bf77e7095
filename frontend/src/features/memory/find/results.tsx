/** What was found, the best first; or why there is nothing. */

import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { FindWish, Found } from "@/api/find";
import { isProblem } from "@/api/problems";
import { Loading } from "@/components/feedback/loading";
import { Note } from "@/components/feedback/inline-alert";
import { problemWords } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import classes from "./find.module.css";
import { HitRow } from "./hit-row";
import { Legend } from "./score";
import { FIRST_RESULTS, MOST_RESULTS } from "./search-params";

const words = memory.find;

interface Props {
  asked: FindWish;
  found: UseQueryResult<Found>;
  onMore: (topK: number) => void;
}

export function Results({ asked, found, onMore }: Props) {
  if (asked.q === "") return <Said title={words.begin} detail={words.beginDetail} />;
  if (found.error !== null) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <Loading label={words.searching} />;
  const { hits, by_meaning } = found.data;
  if (hits.length === 0) return <Said title={words.nothing(asked.q)} detail={words.nothingDetail} />;
  const highest = Math.max(...hits.map(({ score }) => score));
  const hasMore = hits.length >= asked.top_k && asked.top_k < MOST_RESULTS;
  return (
    <section className={classes.card} aria-busy={found.isFetching} aria-label={words.results(hits.length)}>
      <header className={classes.head}>
        <h2>
          <span role="status">{words.results(hits.length)}</span>
        </h2>
        <Legend />
      </header>
      {!by_meaning && <p className={shared.hint}>{words.wordsOnly}</p>}
      <ol className={classes.hits}>
        {hits.map((hit) => (
          <HitRow key={`${hit.kind}/${hit.id}`} hit={hit} highest={highest} />
        ))}
      </ol>
      {hasMore && (
        <div className={classes.more}>
          <Button
            size="compact-sm"
            loading={found.isFetching}
            onClick={() => onMore(asked.top_k === FIRST_RESULTS ? FIRST_RESULTS * 2 : MOST_RESULTS)}
          >
            {words.more}
          </Button>
        </div>
      )}
    </section>
  );
}

function Said({ title, detail }: { title: string; detail: string }) {
  return (
    <div className={classes.said} role="status">
      <strong>{title}</strong>
      <p>{detail}</p>
    </div>
  );
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isSlow = isProblem(error, "search_too_slow");
  return (
    <Note tone="warn" role="alert" actions={<Button onClick={onRetry}>{texts.common.retry}</Button>}>
      <p>{isSlow ? texts.palette.slow : problemWords(error)}</p>
    </Note>
  );
}
