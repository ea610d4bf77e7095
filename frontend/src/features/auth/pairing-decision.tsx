/** A pairing that was found: what it asks for, the decision, and what became of it. */

import { Button, NativeSelect } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router";
import { type Pairing, useDecidePairing } from "@/api/agents";
import { isProblem } from "@/api/problems";
import type { Me } from "@/api/session";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage } from "@/components/feedback/toast";
import { dateTime } from "@/lib/format";
import { clientName } from "@/texts/agent-clients";
import { pairing as words } from "@/texts/agents";
import { AuthCard } from "./auth-card";
import classes from "./auth-frame.module.css";
import own from "./pairing.module.css";

interface Props {
  me: Me;
  code: string;
  pairing: Pairing;
}

const VIEWS = { pending: Pending, approved: Approved, used: Used, denied: Denied };

export function PairingDecision(props: Props) {
  const View = VIEWS[props.pairing.status];
  return <View {...props} />;
}

function Pending({ me, code, pairing }: Props) {
  const [workspaceId, setWorkspaceId] = useState(me.workspace?.id ?? pairing.workspace_id);
  const decide = useDecidePairing(code);
  const client = clientName(pairing.client);
  const verb = decide.isPending ? decide.variables.verb : null;
  const send = (chosen: "approve" | "deny") =>
    decide.isPending || decide.mutate({ verb: chosen, workspaceId });
  return (
    <AuthCard title={words.title(pairing.name)}>
      <p>{words.requests(client, pairing.name)}</p>
      <dl className={own.facts}>
        <Fact name={words.facts.code}>
          <span className={own.code}>{pairing.user_code}</span>
        </Fact>
        <Fact name={words.facts.client}>{words.client(client, pairing.version)}</Fact>
        <Fact name={words.facts.machine}>{pairing.name}</Fact>
        <Fact name={words.facts.asked}>{dateTime(pairing.requested_at)}</Fact>
        {me.memberships.length === 1 && <Fact name={words.facts.workspace}>{pairing.workspace_name}</Fact>}
      </dl>
      {me.memberships.length > 1 && (
        <NativeSelect
          label={words.facts.workspace}
          description={words.workspaceHint}
          data={me.memberships.map(({ id, name }) => ({ value: id, label: name }))}
          value={workspaceId}
          onChange={({ currentTarget }) => setWorkspaceId(currentTarget.value)}
        />
      )}
      <InlineAlert tone="warn">
        <p>{words.compare}</p>
      </InlineAlert>
      <p className={classes.other}>
        {words.grants} {words.account(me.user.email)}
      </p>
      {decide.error && <Refused error={decide.error} />}
      <Button variant="filled" size="md" loading={verb === "approve"} onClick={() => send("approve")}>
        {words.approve}
      </Button>
      <Button size="md" loading={verb === "deny"} onClick={() => send("deny")}>
        {words.deny}
      </Button>
    </AuthCard>
  );
}

function Approved({ code, pairing }: Props) {
  const decide = useDecidePairing(code);
  const deny = () => decide.mutate({ verb: "deny", workspaceId: pairing.workspace_id });
  return (
    <AuthCard title={words.approvedTitle}>
      <p role="status">{words.approved(pairing.name)}</p>
      {decide.error && <Refused error={decide.error} />}
      <Button size="md" loading={decide.isPending} onClick={deny}>
        {words.withdraw}
      </Button>
    </AuthCard>
  );
}

function Used({ pairing }: Props) {
  const navigate = useNavigate();
  return (
    <AuthCard title={words.usedTitle(pairing.name)}>
      <p role="status">{words.used(pairing.workspace_name)}</p>
      <Button variant="filled" size="md" onClick={() => void navigate("/settings/agents")}>
        {words.toAgents}
      </Button>
    </AuthCard>
  );
}

function Denied({ pairing }: Props) {
  const navigate = useNavigate();
  return (
    <AuthCard title={words.deniedTitle}>
      <p role="status">{words.denied(pairing.name)}</p>
      <Button size="md" onClick={() => void navigate("/pair", { replace: true })}>
        {words.otherCode}
      </Button>
    </AuthCard>
  );
}

function Refused({ error }: { error: Error }) {
  const { title, detail } = reasonOf(error);
  return (
    <InlineAlert tone="bad" role="alert" title={title}>
      <p>{detail}</p>
    </InlineAlert>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function reasonOf(error: Error): { title: string; detail: string } {
  if (isProblem(error, "pairing_used")) return { title: words.usedUpTitle, detail: words.usedUp };
  if (isProblem(error, "pairing_expired")) return { title: words.expiredTitle, detail: words.expired };
  if (isProblem(error, "not_found")) return { title: words.unknownTitle, detail: words.unknown };
  if (isProblem(error, "forbidden")) return { title: words.readOnlyTitle, detail: words.readOnly };
  return { title: words.failedTitle, detail: problemMessage(error) };
}
