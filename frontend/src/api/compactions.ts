/** Compactions: every run of a conversation, asking for one, stopping and undoing it. */

import {
  infiniteQueryOptions,
  queryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, type Schemas, taken } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type Level = Schemas["LevelEnum"];

export type Compaction = Schemas["Compaction"];
export type CompactionPlan = Schemas["CompactionPlan"];
export type RunState = Schemas["RunStateEnum"];

/** The newest first. */
export function compactionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: keys.compactions(id),
    initialPageParam: "",
    queryFn: ({ pageParam }) => {
      const query = { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) };
      const params = { ...path(id).params, query };
      return taken(api.GET("/api/conversations/{conversation_id}/compactions", { params }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

export function compactionQuery(id: string, runId: string) {
  return queryOptions({
    queryKey: [...keys.compactions(id), runId],
    queryFn: () => {
      const params = { path: { conversation_id: id, run_id: runId } };
      return taken(api.GET("/api/conversations/{conversation_id}/compactions/{run_id}", { params }));
    },
  });
}

/** What a compaction would do; it is asked again when the numbers in `basis`, which it follows from, change. */
export function planQuery(id: string, level: Level, basis: readonly number[]) {
  return queryOptions({
    queryKey: keys.plan(id, level, basis),
    queryFn: async ({ signal }) => {
      const params = { ...path(id).params, query: { dry_run: true } };
      const options = { params, body: { level }, signal };
      const plan = await taken(api.POST("/api/conversations/{conversation_id}/compactions", options));
      return plan as CompactionPlan;
    },
    // Of the same conversation and level, the plan before stays until the new one is there.
    placeholderData: (previous: CompactionPlan | undefined, query) =>
      query?.queryKey[1] === id && query.queryKey[3] === level ? previous : undefined,
    retry: false,
  });
}

export function useCompact(id: string) {
  return useRunChange(id, async (level: Level) => {
    const requested = await taken(
      api.POST("/api/conversations/{conversation_id}/compactions", { ...path(id), body: { level } }),
    );
    return (requested as Schemas["CompactionRequested"]).compaction;
  });
}

export function useStopCompaction(id: string) {
  return useRunChange(id, (runId: string) => {
    const params = { path: { conversation_id: id, run_id: runId } };
    return taken(api.POST("/api/conversations/{conversation_id}/compactions/{run_id}/stop", { params }));
  });
}

/** Only the last one that stands: else the server answers `not_the_last`. */
export function useUndoCompaction(id: string) {
  return useRunChange(id, (runId: string) => {
    const params = { path: { conversation_id: id, run_id: runId } };
    return taken(api.POST("/api/conversations/{conversation_id}/compactions/{run_id}/undo", { params }));
  });
}

function useRunChange<Input>(id: string, mutationFn: (input: Input) => Promise<Compaction>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (run) => client.setQueryData(compactionQuery(id, run.id).queryKey, run),
    onSettled: () => refreshed(client, id),
  });
}

/** What a fold or its undoing may have changed; without the socket nobody else says so. */
export function refreshed(client: QueryClient, id: string): Promise<void> {
  return client.invalidateQueries({ queryKey: keys.conversation(id) });
}
