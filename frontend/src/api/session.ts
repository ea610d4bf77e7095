/** The session: the current user, their workspace and permissions. */

import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, hasSession, type Schemas, unwrap } from "./client";
import { keys } from "./keys";
import { Problem } from "./problems";

export type Me = Schemas["Me"];
export type Permission = Me["permissions"][number];

/** The budget status changes without any action of the user. */
const REFETCH_MS = 60_000;
const SESSION_ENDED = ["session-ended"] as const;

/** `null` if nobody is signed in. Another tab may have signed in another user or switched the workspace. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async ({ client }): Promise<Me | null> => {
    const previous = client.getQueryData<Me | null>(keys.me);
    const me = await fetchMe();
    if (previous && me === null) client.setQueryData(SESSION_ENDED, true);
    if (previous && me !== null && sessionScope(previous) !== sessionScope(me)) clearFetched(client);
    return me;
  },
  staleTime: Infinity,
  refetchOnWindowFocus: "always",
  refetchInterval: ({ state }) => (state.data ? REFETCH_MS : false),
});

/** Without a session there is no request: browsers log its 401 as an error. */
async function fetchMe(): Promise<Me | null> {
  if (!hasSession()) return null;
  try {
    return await unwrap(api.GET("/api/me"));
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null;
    throw error;
  }
}

/** Check a permission that the server computed from the role in this workspace. */
export function isAllowed({ permissions }: Me, permission: Permission): boolean {
  return permissions.includes(permission);
}

/** The scope of cached data: one user in one workspace. */
export function sessionScope({ user, workspace }: Me): string {
  return `${user.id}/${workspace?.id ?? ""}`;
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["SignInRequest"]) => unwrap(api.POST("/api/sign-in", { body })),
    onSuccess: (me) => switchSession(client, me),
  });
}

export function useSignUp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["SignUpRequest"]) => unwrap(api.POST("/api/sign-up", { body })),
    onSuccess: (me) => switchSession(client, me),
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(api.POST("/api/sign-out")),
    onSuccess: () => switchSession(client, null),
  });
}

export function useSwitchWorkspace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (workspaceId: string) =>
      unwrap(api.PATCH("/api/me", { body: { workspace_id: workspaceId } })),
    onSuccess: (me) => switchSession(client, me),
  });
}

export function useCreateWorkspace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => {
      const { id } = await unwrap(api.POST("/api/workspaces", { body: { name } }));
      return unwrap(api.PATCH("/api/me", { body: { workspace_id: id } }));
    },
    onSuccess: (me) => switchSession(client, me),
  });
}

/** Remember with the account that the tour was shown. */
export function useFinishTour() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(api.PATCH("/api/me", { body: { tour_done: true } })),
    onSuccess: (me) => client.setQueryData(keys.me, me),
  });
}

/** Count the person's days in the time zone of this browser. */
export function useTimeZone({ user }: Me) {
  const client = useQueryClient();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { mutate } = useMutation({
    mutationFn: () => unwrap(api.PATCH("/api/me", { body: { time_zone: zone } })),
    onSuccess: (me) => client.setQueryData(keys.me, me),
  });
  const isOther = Boolean(zone) && zone !== user.time_zone;
  useEffect(() => {
    if (isOther) mutate();
  }, [isOther, mutate]);
}

/** Switch to another user or workspace, or to none, and drop the data of the previous one. */
export function switchSession(client: QueryClient, me: Me | null): void {
  clearFetched(client);
  client.setQueryData(keys.me, me);
}

function clearFetched(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me[0] });
}

/** End a session that expired before the user signed out. */
export function endSession(client: QueryClient): void {
  switchSession(client, null);
  client.setQueryData(SESSION_ENDED, true);
}

export function hasSessionEnded(client: QueryClient): boolean {
  return client.getQueryData(SESSION_ENDED) === true;
}
