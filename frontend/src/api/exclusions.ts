/** Exclusions: messages that are neither sent nor compacted. */

import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type ExcludedMessage = Schemas["Exclusion"];
export type Exclusion = Schemas["ExclusionsRequest"];
export type ExclusionPreview = Schemas["Exclusions"];

const PATH = "/api/conversations/{conversation_id}/exclusions";

export function exclusionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: keys.exclusions(id),
    initialPageParam: "",
    queryFn: ({ pageParam }) => {
      const query = { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) };
      return unwrap(api.GET(PATH, { params: { ...path(id).params, query } }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

/** Preview an exclusion without performing it. */
export function exclusionPreviewQuery(id: string, request: Exclusion) {
  return queryOptions({
    queryKey: [...keys.exclusions(id), "preview", request],
    queryFn: () => {
      const params = { ...path(id).params, query: { dry_run: true } };
      return unwrap(api.POST(PATH, { params, body: request }));
    },
    staleTime: 0,
  });
}

export function useExclude(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Exclusion) => unwrap(api.POST(PATH, { ...path(id), body })),
    onSettled: () => client.invalidateQueries({ queryKey: keys.conversation(id) }),
  });
}
