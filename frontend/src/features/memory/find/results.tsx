/** The search results, best first, or the reason for an empty list. */

import { useQuery } from "@tanstack/react-query";
import { type Corpus, type FindParams, findQuery } from "@/api/find";
import { Loading } from "@/components/feedback/loading";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import { Excerpt, HitRow } from "./hit-row";
import { Failed, Hint } from "./result-states";
import { ResultsCard } from "./results-card";
import { breakdownOf, FIND_LEGEND } from "./score-breakdown";
import { TreeResults } from "./tree-results";

const words = memory.find;

type FoundCorpus = Exclude<Corpus, "all">;

interface Props {
  submitted: FindParams;
  /** Search again with other parameters. */
  onRefine: (part: Partial<FindParams>) => void;
}

/** In the mode `find`, memories come before messages, whose scores have other features. */
export function Results({ submitted, onRefine }: Props) {
  if (submitted.q === "") return <Hint title={words.begin} detail={words.beginDetail} />;
  if (submitted.mode === "search") return <TreeResults query={submitted} onRefine={onRefine} />;
  const groups = groupsOf(submitted);
  return groups.map((corpus) => (
    <Group key={corpus} query={{ ...submitted, corpus }} isOnly={groups.length === 1} onRefine={onRefine} />
  ));
}

/** The filters that only memories have exclude messages. */
function groupsOf({ corpus, category, trust, tags, uri }: FindParams): FoundCorpus[] {
  if (corpus !== "all") return [corpus];
  return [category, trust, tags, uri].some(Boolean) ? ["memories"] : ["memories", "messages"];
}

interface GroupProps extends Pick<Props, "onRefine"> {
  query: FindParams & { corpus: FoundCorpus };
  isOnly: boolean;
}

function Group({ query, isOnly, onRefine }: GroupProps) {
  const results = useQuery(findQuery(query));
  if (results.error !== null) return <Failed error={results.error} onRetry={() => void results.refetch()} />;
  if (results.data === undefined) return <Loading label={words.searching} />;
  const { hits, by_meaning } = results.data;
  if (hits.length === 0) {
    const nothing = isOnly ? words.nothing(query.q) : words.nothingIn[query.corpus](query.q);
    return <Hint title={nothing} detail={words.nothingDetail} />;
  }
  const highest = Math.max(...hits.map(({ score }) => score));
  return (
    <ResultsCard
      title={words.found[query.corpus](hits.length)}
      legend={FIND_LEGEND}
      isFetching={results.isFetching}
      count={hits.length}
      topK={query.top_k}
      onMore={(top_k) => onRefine({ top_k })}
      notes={!by_meaning && <p className={shared.hint}>{words.wordsOnly}</p>}
    >
      {hits.map((hit) => (
        <HitRow key={`${hit.kind}/${hit.id}`} hit={hit} breakdown={breakdownOf(hit)} highest={highest}>
          <Excerpt hit={hit} />
        </HitRow>
      ))}
    </ResultsCard>
  );
}
