/** Compaction runs: list, start, stop and undo. */

import {
  infiniteQueryOptions,
  queryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type Level = Schemas["LevelEnum"];

export type Compaction = Schemas["Compaction"];
export type CompactionPlan = Schemas["CompactionPlan"];
export type RunState = Schemas["RunStateEnum"];

/** Newest first. */
export function compactionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: keys.compactions(id),
    initialPageParam: "",
    queryFn: ({ pageParam }) => {
      const query = { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) };
      const params = { ...path(id).params, query };
      return unwrap(api.GET("/api/conversations/{conversation_id}/compactions", { params }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

export function compactionQuery(id: string, runId: string) {
  return queryOptions({
    queryKey: [...keys.compactions(id), runId],
    queryFn: () => {
      const params = { path: { conversation_id: id, run_id: runId } };
      return unwrap(api.GET("/api/conversations/{conversation_id}/compactions/{run_id}", { params }));
    },
  });
}

/** Preview a compaction. It is fetched again when a number in `basis`, which it depends on, changes. */
export function planQuery(id: string, level: Level, basis: readonly number[]) {
  return queryOptions({
    queryKey: keys.plan(id, level, basis),
    queryFn: async ({ signal }) => {
      const params = { ...path(id).params, query: { dry_run: true } };
      const options = { params, body: { level }, signal };
      const plan = await unwrap(api.POST("/api/conversations/{conversation_id}/compactions", options));
      return plan as CompactionPlan;
    },
    // Show the previous plan of the same conversation and level until the new one arrives.
    placeholderData: (previous: CompactionPlan | undefined, query) =>
      query?.queryKey[1] === id && query.queryKey[3] === level ? previous : undefined,
    retry: false,
  });
}

export function useCompact(id: string) {
  return useRunMutation(id, async (level: Level) => {
    const requested = await unwrap(
      api.POST("/api/conversations/{conversation_id}/compactions", { ...path(id), body: { level } }),
    );
    return (requested as Schemas["CompactionRequested"]).compaction;
  });
}

export function useStopCompaction(id: string) {
  return useRunMutation(id, (runId: string) => {
    const params = { path: { conversation_id: id, run_id: runId } };
    return unwrap(api.POST("/api/conversations/{conversation_id}/compactions/{run_id}/stop", { params }));
  });
}

/** Undo the last succeeded run; for any other the server responds with `not_the_last`. */
export function useUndoCompaction(id: string) {
  return useRunMutation(id, (runId: string) => {
    const params = { path: { conversation_id: id, run_id: runId } };
    return unwrap(api.POST("/api/conversations/{conversation_id}/compactions/{run_id}/undo", { params }));
  });
}

function useRunMutation<Input>(id: string, mutationFn: (input: Input) => Promise<Compaction>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (run) => client.setQueryData(compactionQuery(id, run.id).queryKey, run),
    onSettled: () => invalidateConversation(client, id),
  });
}

/** Refetch what a compaction or its undo may have changed, in case the socket is disconnected. */
export function invalidateConversation(client: QueryClient, id: string): Promise<void> {
  return client.invalidateQueries({ queryKey: keys.conversation(id) });
}
