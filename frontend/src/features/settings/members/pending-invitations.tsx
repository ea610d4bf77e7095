/** The invitations that nobody has answered yet. */

import { useQuery } from "@tanstack/react-query";
import { type Invitation, invitationsQuery, useRevokeInvitation } from "@/api/members";
import { toast, toastProblem } from "@/components/feedback/toast";
import { useShell } from "@/components/hooks/shell-context";
import { TextButton } from "@/components/ui/text-button";
import { dateTime } from "@/lib/format";
import { members } from "@/texts/members";
import { QueryBoundary } from "../query-boundary";
import shared from "../shared.module.css";
import classes from "./members.module.css";
import { mayManage } from "./roles";

const words = members.pending;

export function PendingInvitations() {
  const list = useQuery({ ...invitationsQuery, staleTime: 0 });
  return (
    <section className={shared.block}>
      <h2>{words.title}</h2>
      <QueryBoundary query={list}>
        {(rows) =>
          rows.length === 0 ? (
            <p className={shared.told}>{words.none}</p>
          ) : (
            <ul className={classes.rows}>
              {rows.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </section>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { me } = useShell();
  const { mutateAsync, isPending } = useRevokeInvitation();
  const { email, role, invited_by: by, expires_at: expires } = invitation;
  const revoke = () => {
    const onRevoked = () => toast(words.revoked(email), { tone: "ok" });
    void mutateAsync(invitation).then(onRevoked, toastProblem);
  };
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        <div className={classes.person}>
          <p className={classes.name}>{email}</p>
          <p className={classes.facts}>{words.facts(role, by, dateTime(expires))}</p>
        </div>
        {mayManage(me, role) && (
          <TextButton aria-label={words.revokeName(email)} disabled={isPending} onClick={revoke}>
            {words.revoke}
          </TextButton>
        )}
      </div>
    </li>
  );
}
