/** The members tab: who is in the workspace, pending invitations, the form to invite someone, and the way out. */

import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "@/api/members";
import { isAllowed } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";
import { members } from "@/texts/members";
import { QueryBoundary } from "../query-boundary";
import shared from "../shared.module.css";
import { InviteForm } from "./invite-form";
import { MemberRow } from "./member-row";
import { LeaveWorkspace } from "./leave-workspace";
import classes from "./members.module.css";
import { PendingInvitations } from "./pending-invitations";

export function MembersPart() {
  const { me } = useShell();
  const list = useQuery({ ...membersQuery, staleTime: 0 });
  const canManage = isAllowed(me, "manage_members");
  return (
    <>
      <section className={shared.block}>
        <h2>{members.title}</h2>
        {!canManage && <p className={shared.told}>{members.mayNotManage}</p>}
        <QueryBoundary query={list}>
          {(rows) => (
            <ul className={classes.rows}>
              {rows.map((member) => (
                <MemberRow key={member.user_id} member={member} />
              ))}
            </ul>
          )}
        </QueryBoundary>
      </section>
      {canManage && <InviteForm />}
      {canManage && <PendingInvitations />}
      {isAllowed(me, "manage_self") && <LeaveWorkspace />}
    </>
  );
}
