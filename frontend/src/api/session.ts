/** Who is signed in, and in which workspace. */

import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, taken } from "./client";
import { keys } from "./keys";
import { Problem } from "./problems";

export type Me = Schemas["Me"];
export type Permission = Me["permissions"][number];

/** What may be spent on models changes without anybody's doing. */
const LOOK_AGAIN_MS = 60_000;
const ENDED = ["session-ended"] as const;

/** `null` where nobody is signed in. Another tab may have signed somebody else in, or gone to another workspace. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async ({ client }): Promise<Me | null> => {
    const before = client.getQueryData<Me | null>(keys.me);
    try {
      const me = await taken(api.GET("/api/me"));
      if (before && placeOf(before) !== placeOf(me)) forgetAll(client);
      return me;
    } catch (error) {
      if (!(error instanceof Problem && error.status === 401)) throw error;
      if (before) client.setQueryData(ENDED, true);
      return null;
    }
  },
  staleTime: Infinity,
  refetchOnWindowFocus: "always",
  refetchInterval: ({ state }) => (state.data ? LOOK_AGAIN_MS : false),
});

/** Whether the role of the person allows it in this workspace, as the server says. */
export function isAllowed({ permissions }: Me, permission: Permission): boolean {
  return permissions.includes(permission);
}

/** What was fetched holds for one person in one workspace. */
export function placeOf({ user, workspace }: Me): string {
  return `${user.id}/${workspace?.id ?? ""}`;
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["SignInRequest"]) => taken(api.POST("/api/sign-in", { body })),
    onSuccess: (me) => become(client, me),
  });
}

export function useSignUp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["SignUpRequest"]) => taken(api.POST("/api/sign-up", { body })),
    onSuccess: (me) => become(client, me),
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => taken(api.POST("/api/sign-out")),
    onSuccess: () => become(client, null),
  });
}

export function useSwitchWorkspace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (workspaceId: string) => taken(api.PATCH("/api/me", { body: { workspace_id: workspaceId } })),
    onSuccess: (me) => become(client, me),
  });
}

export function useCreateWorkspace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => {
      const { id } = await taken(api.POST("/api/workspaces", { body: { name } }));
      return taken(api.PATCH("/api/me", { body: { workspace_id: id } }));
    },
    onSuccess: (me) => become(client, me),
  });
}

/** Somebody else, nobody, or in another workspace: what was fetched before is not theirs. */
export function become(client: QueryClient, me: Me | null): void {
  forgetAll(client);
  client.setQueryData(keys.me, me);
}

function forgetAll(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me[0] });
}

/** It was over before the person said so. */
export function sessionEnd(client: QueryClient): void {
  become(client, null);
  client.setQueryData(ENDED, true);
}

export function hasEnded(client: QueryClient): boolean {
  return client.getQueryData(ENDED) === true;
}
