/** The page of an invitation's link. Without a session it leads to the sign-in page and back. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useLocation, useNavigate, useParams } from "react-router";
import {
  type InvitationPreview,
  invitationQuery,
  useAcceptInvitation,
  useDeclineInvitation,
} from "@/api/members";
import { isProblem } from "@/api/problems";
import { type Me, meQuery } from "@/api/session";
import { ErrorState } from "@/components/feedback/error-state";
import { Loading } from "@/components/feedback/loading";
import { problemMessage, toast, toastProblem } from "@/components/feedback/toast";
import { useTitle } from "@/components/hooks/use-title";
import { dateTime } from "@/lib/format";
import { texts } from "@/texts";
import { members } from "@/texts/members";
import { AuthCard } from "./auth-card";
import classes from "./auth-frame.module.css";

const words = members.join;

export default function JoinPage() {
  const { secret = "" } = useParams();
  const { data: me, error, isPending, refetch } = useQuery(meQuery);
  const { pathname } = useLocation();
  useTitle(words.pageTitle);
  if (isPending) return <Loading />;
  if (error && me === undefined) {
    const action = { label: texts.common.retry, run: () => void refetch() };
    return <ErrorState title={texts.common.unreachable} detail={problemMessage(error)} action={action} />;
  }
  if (!me) return <Navigate to="/sign-in" replace state={{ from: pathname }} />;
  return <Received key={me.user.id} me={me} secret={secret} />;
}

function Received({ me, secret }: { me: Me; secret: string }) {
  const accept = useAcceptInvitation(secret);
  // Joining empties the cache, and the invitation that was used up must not be loaded again.
  const enabled = !accept.isPending && !accept.isSuccess;
  const { data: invitation, error } = useQuery({ ...invitationQuery(secret), enabled });
  if (invitation) return <Invited me={me} secret={secret} invitation={invitation} accept={accept} />;
  if (error) return <NotReceived error={error} email={me.user.email} />;
  return <Loading />;
}

interface InvitedProps {
  me: Me;
  secret: string;
  invitation: InvitationPreview;
  accept: ReturnType<typeof useAcceptInvitation>;
}

function Invited({ me, secret, invitation, accept }: InvitedProps) {
  const { workspace_name: workspace, invited_by: by, role, expires_at: expires } = invitation;
  const navigate = useNavigate();
  const decline = useDeclineInvitation(secret);
  const isBusy = accept.isPending || decline.isPending;
  const answer = (sent: Promise<unknown>, message: string) => {
    const onAnswered = () => {
      toast(message, { tone: "ok" });
      void navigate("/", { replace: true });
    };
    void sent.then(onAnswered, toastProblem);
  };
  return (
    <AuthCard title={words.title(workspace)}>
      <p>{words.invited(by, workspace, role)}</p>
      <p className={classes.other}>
        {words.account(me.user.email)} {words.expires(dateTime(expires))}
      </p>
      <Button
        variant="filled"
        size="md"
        loading={accept.isPending}
        disabled={decline.isPending}
        onClick={() => isBusy || answer(accept.mutateAsync(), words.accepted(workspace))}
      >
        {words.accept}
      </Button>
      <Button
        size="md"
        loading={decline.isPending}
        disabled={accept.isPending}
        onClick={() => isBusy || answer(decline.mutateAsync(), words.declined)}
      >
        {words.decline}
      </Button>
    </AuthCard>
  );
}

function NotReceived({ error, email }: { error: Error; email: string }) {
  const navigate = useNavigate();
  const { title, detail } = reasonOf(error);
  return (
    <AuthCard title={title}>
      <p role="alert">{detail}</p>
      <p className={classes.other}>{words.account(email)}</p>
      <Button size="md" onClick={() => void navigate("/", { replace: true })}>
        {texts.common.toChats}
      </Button>
    </AuthCard>
  );
}

function reasonOf(error: Error): { title: string; detail: string } {
  if (isProblem(error, "invitation_over")) return { title: words.overTitle, detail: words.over };
  if (isProblem(error, "invitation_not_found")) return { title: words.notFoundTitle, detail: words.notFound };
  return { title: words.failedTitle, detail: problemMessage(error) };
}
