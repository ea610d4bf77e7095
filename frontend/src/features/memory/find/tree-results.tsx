/** The results of a search in the tree: what was understood, one list, and the rounds; or why it abstains. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FindParams, type TreeSearchResult, treeSearchQuery } from "@/api/find";
import { Loading } from "@/components/feedback/loading";
import { memory } from "@/texts/memory";
import { memorySearch } from "@/texts/memory-search";
import { HitRow } from "./hit-row";
import { Overview } from "./overview";
import { Failed, Hint } from "./result-states";
import { ResultsCard } from "./results-card";
import { Rounds } from "./rounds";
import { TREE_LEGEND, treeBreakdownOf } from "./score-breakdown";
import { Understood } from "./understood";

const FULL_SCORE = 1;

interface Props {
  query: FindParams;
  onRefine: (part: Partial<FindParams>) => void;
}

export function TreeResults({ query, onRefine }: Props) {
  const results = useQuery(treeSearchQuery(query));
  if (results.error !== null) return <Failed error={results.error} onRetry={() => void results.refetch()} />;
  if (results.data === undefined) return <Loading label={memory.find.searching} />;
  const { hits, intent, degraded, rounds, end, weights } = results.data;
  return (
    <>
      <Understood intent={intent} degraded={degraded} />
      {hits.length === 0 ? (
        <Nothing result={results.data} query={query} onRefine={onRefine} />
      ) : (
        <ResultsCard
          title={memorySearch.found(hits.length)}
          legend={TREE_LEGEND}
          isFetching={results.isFetching}
          count={hits.length}
          topK={query.top_k}
          onMore={(top_k) => onRefine({ top_k })}
        >
          {hits.map((hit) => (
            <HitRow
              key={`${hit.kind}/${hit.id}`}
              hit={hit}
              breakdown={treeBreakdownOf(hit, weights)}
              highest={FULL_SCORE}
            >
              <Overview hit={hit} />
            </HitRow>
          ))}
        </ResultsCard>
      )}
      {rounds.length > 0 && <Rounds rounds={rounds} end={end} />}
    </>
  );
}

interface NothingProps extends Props {
  result: TreeSearchResult;
}

function Nothing({ result: { abstained }, query, onRefine }: NothingProps) {
  if (abstained === "") {
    return <Hint title={memory.find.nothing(query.q)} detail={memory.find.nothingDetail} />;
  }
  return (
    <Hint title={memorySearch.abstained[abstained]} detail={memorySearch.abstainedDetail[abstained]}>
      {abstained === "nothing_relevant" && (
        <Button onClick={() => onRefine({ mode: "find" })}>{memorySearch.nearest}</Button>
      )}
    </Hint>
  );
}
