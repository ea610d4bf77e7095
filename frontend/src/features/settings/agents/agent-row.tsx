/** One paired client: its machine, its last event, a test, and the revocation of its key. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { type Agent, useRevokeAgent, useTestAgent } from "@/api/agents";
import { Confirm } from "@/components/feedback/confirm";
import { toast, toastProblem } from "@/components/feedback/toast";
import { useShell } from "@/components/hooks/shell-context";
import { TextButton } from "@/components/ui/text-button";
import { ago } from "@/lib/ago";
import { dateTime } from "@/lib/format";
import { clientName } from "@/texts/agent-clients";
import { agents, pairing } from "@/texts/agents";
import classes from "./agents.module.css";
import { AgentTestResult } from "./agent-test-result";

interface Props {
  agent: Agent;
  /** When the list was read, in milliseconds. */
  now: number;
}

export function AgentRow({ agent, now }: Props) {
  const { me } = useShell();
  const [isRevoking, setRevoking] = useState(false);
  const test = useTestAgent();
  const isRevoked = agent.revoked_at !== null;
  const isMine = agent.user_id === me.user.id;
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        <div className={classes.client}>
          <p className={classes.name}>{agent.name}</p>
          <p className={classes.facts}>{factsOf(agent, isMine)}</p>
          <p className={classes.event}>{eventOf(agent, now)}</p>
        </div>
        {!isRevoked && (
          <div className={classes.actions}>
            {isMine && (
              <Button
                aria-label={agents.testName(agent.name)}
                loading={test.isPending}
                onClick={() => test.mutate(agent)}
              >
                {agents.test}
              </Button>
            )}
            <TextButton
              aria-label={agents.revokeName(agent.name)}
              aria-expanded={isRevoking}
              onClick={() => setRevoking(true)}
            >
              {agents.revoke}
            </TextButton>
          </div>
        )}
      </div>
      {!isRevoked && <AgentTestResult test={test} />}
      {isRevoking && <Revoke agent={agent} onClose={() => setRevoking(false)} />}
    </li>
  );
}

function Revoke({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { mutateAsync, isPending } = useRevokeAgent();
  const revoke = () => {
    const onRevoked = () => {
      onClose();
      toast(agents.revokedToast(agent.name), { tone: "ok" });
    };
    void mutateAsync(agent).then(onRevoked, toastProblem);
  };
  return (
    <Confirm
      title={agents.revokeTitle(agent.name)}
      detail={agents.revokeDetail}
      actionLabel={agents.revoke}
      isPending={isPending}
      onConfirm={revoke}
      onCancel={onClose}
    />
  );
}

function factsOf(agent: Agent, isMine: boolean): string {
  const facts = [
    pairing.client(clientName(agent.client), agent.version),
    agents.paired(dateTime(agent.paired_at)),
  ];
  if (!isMine) facts.push(agents.by(agent.user_name));
  if (agent.revoked_at !== null) facts.push(agents.revokedAt(dateTime(agent.revoked_at)));
  return facts.join(" · ");
}

function eventOf({ last_event, last_event_at, event_count }: Agent, now: number): string {
  return last_event_at === null
    ? agents.noEvent
    : agents.lastEvent(last_event, ago(last_event_at, now), event_count);
}
