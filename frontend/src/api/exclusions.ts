/** Exclusions: messages that are neither sent nor folded. */

import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, taken } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type ExcludedMessage = Schemas["Exclusion"];
export type Exclusion = Schemas["ExclusionsRequest"];
export type ExclusionPreview = Schemas["Exclusions"];

const ADDRESS = "/api/conversations/{conversation_id}/exclusions";

export function exclusionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: keys.exclusions(id),
    initialPageParam: "",
    queryFn: ({ pageParam }) => {
      const query = { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) };
      return taken(api.GET(ADDRESS, { params: { ...path(id).params, query } }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

/** What it would do, while nothing is done. */
export function exclusionPreviewQuery(id: string, wanted: Exclusion) {
  return queryOptions({
    queryKey: [...keys.exclusions(id), "preview", wanted],
    queryFn: () => {
      const params = { ...path(id).params, query: { dry_run: true } };
      return taken(api.POST(ADDRESS, { params, body: wanted }));
    },
    staleTime: 0,
  });
}

export function useExclude(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Exclusion) => taken(api.POST(ADDRESS, { ...path(id), body })),
    onSettled: () => client.invalidateQueries({ queryKey: keys.conversation(id) }),
  });
}
