/** The rolling summary, its versions, and what a person writes into it by hand. */

import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, taken } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type Summary = Schemas["Summary"];
export type RollingSummary = Schemas["RollingSummary"];
export type SummaryField = keyof RollingSummary;
export type SummaryVersion = Schemas["SummaryVersion"];
export type ReferenceType = Schemas["ReferenceTypeEnum"];
export type Gone = Schemas["RemovedLine"];
export type CorrectedLine = Schemas["CorrectedLineRequest"];
/** Without a place the line is added, without a line the one in that place goes. */
export type Correction = Schemas["CorrectionRequest"];

/** The present summary, or as a version of it was. */
export function summaryQuery(id: string, version?: number) {
  return queryOptions({
    queryKey: keys.summary(id, version),
    queryFn: () => {
      const query = version === undefined ? {} : { version };
      const params = { ...path(id).params, query };
      return taken(api.GET("/api/conversations/{conversation_id}/summary", { params }));
    },
  });
}

/** The newest first. */
export function versionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...keys.conversation(id), "summary", "versions"],
    initialPageParam: "",
    queryFn: ({ pageParam }) => {
      const query = { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) };
      const params = { ...path(id).params, query };
      return taken(api.GET("/api/conversations/{conversation_id}/summary/versions", { params }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

interface OfVersion {
  /** Which the person looked at. */
  version: number;
}

export function useCorrectSummary(id: string) {
  return useSummaryChange(id, ({ version, correction }: OfVersion & { correction: Correction }) =>
    taken(
      api.POST("/api/conversations/{conversation_id}/summary/corrections", {
        params: { ...path(id).params, header: ifMatch(version) },
        body: correction,
      }),
    ),
  );
}

/** Of the correction that the newest version is. */
export function useUndoCorrection(id: string) {
  return useSummaryChange(id, ({ version }: OfVersion) =>
    taken(
      api.POST("/api/conversations/{conversation_id}/summary/corrections/undo", {
        params: { ...path(id).params, header: ifMatch(version) },
      }),
    ),
  );
}

function useSummaryChange<Input>(id: string, mutationFn: (input: Input) => Promise<Summary>) {
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
