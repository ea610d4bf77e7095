/** The user's settings for building packs in the workspace. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, unwrap } from "./client";
import { keys } from "./keys";

export type ContextSettings = Schemas["ContextSettings"];
export type KnowledgeDepth = Schemas["KnowledgeDepthEnum"];
type Changes = Partial<Omit<ContextSettings, "version">>;

/** The maximum of any token budget. */
export const MAX_BUDGET = 2_000_000;

export const contextSettingsQuery = queryOptions({
  queryKey: keys.contextSettings,
  queryFn: () => unwrap(api.GET("/api/me/context")),
});

/** Change the settings and refetch every pack, because all of the user's packs depend on them. */
export function useChangeContextSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ version, body }: { version: number; body: Changes }) =>
      unwrap(api.PATCH("/api/me/context", { params: { header: ifMatch(version) }, body })),
    onSuccess: (settings) => client.setQueryData(contextSettingsQuery.queryKey, settings),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.contextSettings }),
        client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[2] === "context" }),
      ]),
  });
}
