/** The search results, best first, or the reason for an empty list. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Corpus, type FindParams, findQuery } from "@/api/find";
import { isProblem } from "@/api/problems";
import { Loading } from "@/components/feedback/loading";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { palette } from "@/texts/palette";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import classes from "./find.module.css";
import { HitRow } from "./hit-row";
import { Legend } from "./score";
import { FIRST_RESULTS, MAX_RESULTS } from "./search-params";

const words = memory.find;

type FoundCorpus = Exclude<Corpus, "all">;

interface Props {
  submitted: FindParams;
  onMore: (topK: number) => void;
}

/** Memories come before messages, whose scores have other features. */
export function Results({ submitted, onMore }: Props) {
  if (submitted.q === "") return <Hint title={words.begin} detail={words.beginDetail} />;
  const groups = groupsOf(submitted);
  return groups.map((corpus) => (
    <Group key={corpus} query={{ ...submitted, corpus }} isOnly={groups.length === 1} onMore={onMore} />
  ));
}

/** The filters that only memories have exclude messages. */
function groupsOf({ corpus, category, trust, tags, uri }: FindParams): FoundCorpus[] {
  if (corpus !== "all") return [corpus];
  return [category, trust, tags, uri].some(Boolean) ? ["memories"] : ["memories", "messages"];
}

interface GroupProps {
  query: FindParams & { corpus: FoundCorpus };
  isOnly: boolean;
  onMore: (topK: number) => void;
}

function Group({ query, isOnly, onMore }: GroupProps) {
  const results = useQuery(findQuery(query));
  if (results.error !== null) return <Failed error={results.error} onRetry={() => void results.refetch()} />;
  if (results.data === undefined) return <Loading label={words.searching} />;
  const { hits, by_meaning } = results.data;
  if (hits.length === 0) {
    const nothing = isOnly ? words.nothing(query.q) : words.nothingIn[query.corpus](query.q);
    return <Hint title={nothing} detail={words.nothingDetail} />;
  }
  const highest = Math.max(...hits.map(({ score }) => score));
  const hasMore = hits.length >= query.top_k && query.top_k < MAX_RESULTS;
  return (
    <section
      className={classes.card}
      aria-busy={results.isFetching}
      aria-label={words.found[query.corpus](hits.length)}
    >
      <header className={classes.head}>
        <h2>
          <span role="status">{words.found[query.corpus](hits.length)}</span>
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
            loading={results.isFetching}
            onClick={() => onMore(query.top_k === FIRST_RESULTS ? FIRST_RESULTS * 2 : MAX_RESULTS)}
          >
            {words.more}
          </Button>
        </div>
      )}
    </section>
  );
}

function Hint({ title, detail }: { title: string; detail: string }) {
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
    <InlineAlert tone="warn" role="alert" actions={<Button onClick={onRetry}>{texts.common.retry}</Button>}>
      <p>{isSlow ? palette.slow : problemMessage(error)}</p>
    </InlineAlert>
  );
}
