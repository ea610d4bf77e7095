/** The page where a person confirms a client's code. Without a session it leads to the sign-in page and back. */

import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { Navigate, useLocation, useNavigate, useSearchParams } from "react-router";
import { pairingQuery } from "@/api/agents";
import { isProblem, Problem } from "@/api/problems";
import { type Me, meQuery } from "@/api/session";
import { ErrorState } from "@/components/feedback/error-state";
import { Loading } from "@/components/feedback/loading";
import { problemMessage } from "@/components/feedback/toast";
import { useTitle } from "@/components/hooks/use-title";
import { texts } from "@/texts";
import { pairing as words } from "@/texts/agents";
import { AuthCard } from "./auth-card";
import classes from "./auth-frame.module.css";
import { PairingDecision } from "./pairing-decision";

const NOT_FOUND = 404;

export default function PairPage() {
  const [search] = useSearchParams();
  const { data: me, error, isPending, refetch } = useQuery(meQuery);
  const location = useLocation();
  useTitle(words.pageTitle);
  if (isPending) return <Loading />;
  if (error && me === undefined) {
    const action = { label: texts.common.retry, run: () => void refetch() };
    return <ErrorState title={texts.common.unreachable} detail={problemMessage(error)} action={action} />;
  }
  if (!me) return <Navigate to="/sign-in" replace state={{ from: location.pathname + location.search }} />;
  if (me.workspace === null) return <NoWorkspace />;
  const code = search.get("code")?.trim() ?? "";
  return code === "" ? <EnterCode /> : <WithCode key={`${me.user.id} ${code}`} me={me} code={code} />;
}

function WithCode({ me, code }: { me: Me; code: string }) {
  const { data: pairing, error } = useQuery(pairingQuery(code));
  if (error && pairing?.status !== "used") return <NotPossible error={error} />;
  return pairing ? <PairingDecision me={me} code={code} pairing={pairing} /> : <Loading />;
}

function EnterCode() {
  const [code, setCode] = useState("");
  const [isMissing, setMissing] = useState(false);
  const navigate = useNavigate();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(code.trim() === "");
    if (code.trim() !== "") void navigate(`/pair?${new URLSearchParams({ code: code.trim() }).toString()}`);
  };
  return (
    <AuthCard title={words.enterTitle}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label={words.code}
          description={words.enterHint}
          placeholder="BCDF-GHJK"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={code}
          error={isMissing && words.codeMissing}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Button type="submit" variant="filled" size="md">
          {words.next}
        </Button>
      </form>
    </AuthCard>
  );
}

function NotPossible({ error }: { error: Error }) {
  const navigate = useNavigate();
  const { title, detail } = reasonOf(error);
  return (
    <AuthCard title={title}>
      <p role="alert">{detail}</p>
      <Button size="md" onClick={() => void navigate("/pair", { replace: true })}>
        {words.otherCode}
      </Button>
    </AuthCard>
  );
}

function NoWorkspace() {
  const navigate = useNavigate();
  return (
    <AuthCard title={texts.common.noWorkspaceTitle}>
      <p role="alert">{words.noWorkspace}</p>
      <Button size="md" onClick={() => void navigate("/", { replace: true })}>
        {texts.common.toChats}
      </Button>
    </AuthCard>
  );
}

function reasonOf(error: Error): { title: string; detail: string } {
  if (isProblem(error, "pairing_expired")) return { title: words.expiredTitle, detail: words.expired };
  if (error instanceof Problem && error.status === NOT_FOUND)
    return { title: words.unknownTitle, detail: words.unknown };
  return { title: words.failedTitle, detail: problemMessage(error) };
}
