/** The agents tab: how to connect a coding agent, and the clients that are paired. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { SquareTerminal } from "lucide-react";
import { Link } from "react-router";
import { type Agent, agentsQuery } from "@/api/agents";
import { CodeBlock } from "@/components/markdown/code-block";
import { useShell } from "@/components/hooks/shell-context";
import { Section } from "@/components/ui/section";
import { agents } from "@/texts/agents";
import { QueryBoundary } from "../query-boundary";
import shared from "../shared.module.css";
import { AgentRow } from "./agent-row";
import classes from "./agents.module.css";

const words = agents.connect;

export function AgentsPart() {
  const list = useQuery(agentsQuery);
  return (
    <>
      <Connect />
      <section className={shared.block}>
        <h2>{agents.title}</h2>
        <QueryBoundary query={list}>{(rows) => <Rows rows={rows} now={list.dataUpdatedAt} />}</QueryBoundary>
      </section>
    </>
  );
}

function Connect() {
  const { me } = useShell();
  return (
    <section className={shared.block}>
      <h2>{words.title}</h2>
      {me.scopes.includes("write") ? (
        <>
          <p className={shared.told}>{words.hint}</p>
          <CodeBlock code={words.lines(location.origin)} language="sh" />
          <p className={shared.hint}>{words.then}</p>
          <div className={shared.actions}>
            <Button component={Link} to="/pair">
              {words.haveCode}
            </Button>
          </div>
        </>
      ) : (
        <p className={shared.told}>{words.readOnly}</p>
      )}
    </section>
  );
}

function Rows({ rows, now }: { rows: Agent[]; now: number }) {
  const active = rows.filter(({ revoked_at }) => revoked_at === null);
  const revoked = rows.filter(({ revoked_at }) => revoked_at !== null);
  return (
    <>
      {active.length === 0 ? <Empty /> : <List rows={active} now={now} />}
      {revoked.length > 0 && (
        <Section
          name="agents-revoked"
          title={agents.revoked}
          count={String(revoked.length)}
          openAtFirst={false}
        >
          <List rows={revoked} now={now} />
        </Section>
      )}
    </>
  );
}

function List({ rows, now }: { rows: Agent[]; now: number }) {
  return (
    <ul className={classes.rows}>
      {rows.map((agent) => (
        <AgentRow key={agent.id} agent={agent} now={now} />
      ))}
    </ul>
  );
}

function Empty() {
  return (
    <div className={classes.empty}>
      <SquareTerminal size={24} strokeWidth={1.75} aria-hidden="true" />
      <p className={classes.name}>{agents.emptyTitle}</p>
      <p>{agents.empty}</p>
    </div>
  );
}
