/** The rolling summary, its versions and manual corrections. */

import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type Summary = Schemas["Summary"];
export type RollingSummary = Schemas["RollingSummary"];
export type SummaryField = keyof RollingSummary;
export type SummaryVersion = Schemas["SummaryVersion"];
export type ReferenceType = Schemas["ReferenceTypeEnum"];
export type RemovedLine = Schemas["RemovedLine"];
export type CorrectedLine = Schemas["CorrectedLineRequest"];
/** Without a position the line is added; without a line the one at the position is removed. */
export type Correction = Schemas["CorrectionRequest"];

/** The current summary, or a version of it. */
export function summaryQuery(id: string, version?: number) {
  return queryOptions({
    queryKey: keys.summary(id, version),
    queryFn: () => {
      const query = version === undefined ? {} : { version };
      const params = { ...path(id).params, query };
      return unwrap(api.GET("/api/conversations/{conversation_id}/summary", { params }));
    },
  });
}

/** Newest first. */
export function versionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...keys.conversation(id), "summary", "versions"],
    initialPageParam: "",
    queryFn: ({ pageParam }) => {
      const query = { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) };
      const params = { ...path(id).params, query };
      return unwrap(api.GET("/api/conversations/{conversation_id}/summary/versions", { params }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

interface VersionedInput {
  /** The version that the user looked at. */
  version: number;
}

export function useCorrectSummary(id: string) {
  return useSummaryMutation(id, ({ version, correction }: VersionedInput & { correction: Correction }) =>
    unwrap(
      api.POST("/api/conversations/{conversation_id}/summary/corrections", {
        params: { ...path(id).params, header: ifMatch(version) },
        body: correction,
      }),
    ),
  );
}

/** Undo a correction; it must be the newest version. */
export function useUndoCorrection(id: string) {
  return useSummaryMutation(id, ({ version }: VersionedInput) =>
    unwrap(
      api.POST("/api/conversations/{conversation_id}/summary/corrections/undo", {
        params: { ...path(id).params, header: ifMatch(version) },
      }),
    ),
  );
}

function useSummaryMutation<Input>(id: string, mutationFn: (input: Input) => Promise<Summary>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (summary) => client.setQueryData(summaryQuery(id).queryKey, summary),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["conversation", id, "summary"] }),
        client.invalidateQueries({ queryKey: keys.context(id) }),
      ]),
  });
}
