/** The members of the workspace, and invitations to it. */

import { type QueryKey, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { allPages } from "./all-pages";
import { keys } from "./keys";
import { switchSession } from "./session";

export type Member = Schemas["Member"];
export type Role = Member["role"];
export type Invitation = Schemas["Invitation"];
export type NewInvitation = Schemas["NewInvitation"];
export type InvitationPreview = Schemas["InvitationPreview"];

export const membersQuery = queryOptions({
  queryKey: keys.members,
  queryFn: () => allPages((query) => unwrap(api.GET("/api/members", { params: { query } }))),
});

export const invitationsQuery = queryOptions({
  queryKey: keys.invitations,
  queryFn: () => allPages((query) => unwrap(api.GET("/api/invitations", { params: { query } }))),
});

/** The invitation that a link's secret opens. It is loaded again on each visit, since it may have ended. */
export function invitationQuery(secret: string) {
  return queryOptions({
    queryKey: keys.invitation(secret),
    queryFn: () => unwrap(api.POST("/api/invitations/preview", { body: { secret } })),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

export function useChangeRole() {
  return useMembersMutation(keys.members, ({ member, role }: { member: Member; role: Role }) =>
    unwrap(api.PATCH("/api/members/{user_id}", { params: memberParams(member), body: { role } })),
  );
}

export function useRemoveMember() {
  return useMembersMutation(keys.members, (member: Member) =>
    unwrap(api.DELETE("/api/members/{user_id}", { params: memberParams(member) })),
  );
}

/** Leave the workspace; the session continues in another one, or in none. */
export function useLeaveWorkspace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (user_id: string) =>
      unwrap(api.DELETE("/api/members/{user_id}", { params: { path: { user_id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.me }),
  });
}

/** The response holds the secret of the link, so it is not cached. */
export function useInvite() {
  return useMembersMutation(keys.invitations, (body: Schemas["InvitationRequest"]) =>
    unwrap(api.POST("/api/invitations", { body })),
  );
}

export function useRevokeInvitation() {
  return useMembersMutation(keys.invitations, ({ id }: Invitation) =>
    unwrap(api.DELETE("/api/invitations/{invitation_id}", { params: { path: { invitation_id: id } } })),
  );
}

/** Join the workspace; the session continues there. */
export function useAcceptInvitation(secret: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(api.POST("/api/invitations/accept", { body: { secret } })),
    onSuccess: (me) => switchSession(client, me),
  });
}

export function useDeclineInvitation(secret: string) {
  return useMutation({
    mutationFn: () => unwrap(api.POST("/api/invitations/decline", { body: { secret } })),
  });
}

function memberParams({ user_id }: Member) {
  return { path: { user_id } };
}

function useMembersMutation<Input, Output>(
  queryKey: QueryKey,
  mutationFn: (input: Input) => Promise<Output>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
