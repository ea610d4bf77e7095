/** How one's own packs are built in the workspace. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, taken } from "./client";
import { keys } from "./keys";

export type ContextSettings = Schemas["ContextSettings"];
export type KnowledgeDepth = Schemas["KnowledgeDepthEnum"];
type Changes = Partial<Omit<ContextSettings, "version">>;

/** Of any budget. */
export const LARGEST_BUDGET = 2_000_000;

export const contextSettingsQuery = queryOptions({
  queryKey: keys.contextSettings,
  queryFn: () => taken(api.GET("/api/me/context")),
});

/** Every pack of the person is built by them. */
export function useChangeContextSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ version, body }: { version: number; body: Changes }) =>
      taken(api.PATCH("/api/me/context", { params: { header: ifMatch(version) }, body })),
    onSuccess: (settings) => client.setQueryData(contextSettingsQuery.queryKey, settings),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.contextSettings }),
        client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[2] === "context" }),
      ]),
  });
}
