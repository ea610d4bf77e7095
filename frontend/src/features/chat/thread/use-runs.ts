/** The compactions of a conversation, back to the first message in view. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { type Compaction, compactionsQuery } from "@/api/compactions";

export interface Runs {
  runs: readonly Compaction[];
  hasFailed: boolean;
  retry: () => void;
}

/** `since` is the time of the first message in view. */
export function useRuns(id: string, since: string | undefined): Runs {
  const { data, isError, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(
    compactionsQuery(id),
  );
  const runs = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const oldest = runs.at(-1)?.created_at;
  const needsMore = since !== undefined && oldest !== undefined && Date.parse(oldest) > Date.parse(since);
  useEffect(() => {
    if (needsMore && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [needsMore, hasNextPage, isFetching, isError, fetchNextPage]);
  const retry = () => void (data === undefined ? refetch() : fetchNextPage());
  return { runs, hasFailed: isError && (data === undefined || needsMore), retry };
}
