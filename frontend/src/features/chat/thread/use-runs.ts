/** The compactions of a conversation, as far back as the messages in sight. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { type Compaction, compactionsQuery } from "@/api/compactions";

export interface Runs {
  runs: readonly Compaction[];
  isMissing: boolean;
  askAgain: () => void;
}

/** `since` is when the first message in sight was said. */
export function useRuns(id: string, since: string | undefined): Runs {
  const { data, isError, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(
    compactionsQuery(id),
  );
  const runs = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const oldest = runs.at(-1)?.created_at;
  const isShort = since !== undefined && oldest !== undefined && Date.parse(oldest) > Date.parse(since);
  useEffect(() => {
    if (isShort && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isShort, hasNextPage, isFetching, isError, fetchNextPage]);
  const askAgain = () => void (data === undefined ? refetch() : fetchNextPage());
  return { runs, isMissing: isError && (data === undefined || isShort), askAgain };
}
