/** Paired clients of coding agents, and the pairing of a new one by its code. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { allPages } from "./all-pages";
import { api, type Schemas, unwrap } from "./client";
import { keys } from "./keys";

export type Agent = Schemas["PairedClient"];
export type AgentTest = Schemas["AgentTest"];
export type Pairing = Schemas["Pairing"];

/** Their last event is of interest while somebody looks. */
const REFETCH_MS = 4_000;
const COLLECTED_MS = 1_500;

export const agentsQuery = queryOptions({
  queryKey: keys.agents,
  queryFn: () => allPages((query) => unwrap(api.GET("/api/agents", { params: { query } }))),
  staleTime: 0,
  refetchInterval: REFETCH_MS,
});

/** After the approval it is read again until the client has collected its key. */
export function pairingQuery(code: string) {
  return queryOptions({
    queryKey: keys.pairing(code),
    queryFn: () => unwrap(api.GET("/api/pairings/{user_code}", { params: { path: { user_code: code } } })),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === "approved" ? COLLECTED_MS : false),
  });
}

/** Approve or deny in a workspace: the one that the page shows, whatever another tab has switched to. */
export function useDecidePairing(code: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ verb, workspaceId }: { verb: "approve" | "deny"; workspaceId: string }) =>
      unwrap(
        api.POST(`/api/pairings/{user_code}/${verb}`, {
          params: { path: { user_code: code }, header: { "X-Continuity-Workspace": workspaceId } },
        }),
      ),
    onSuccess: (pairing) => client.setQueryData(keys.pairing(code), pairing),
  });
}

export function useTestAgent() {
  return useMutation({
    mutationFn: ({ id }: Agent) =>
      unwrap(api.POST("/api/agents/{agent_id}/test", { params: { path: { agent_id: id } } })),
  });
}

export function useRevokeAgent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Agent) =>
      unwrap(api.DELETE("/api/agents/{agent_id}", { params: { path: { agent_id: id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: keys.agents }),
  });
}
