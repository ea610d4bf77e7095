/** One session: where it ran, its summary, what was remembered from it, and what happened. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { type SessionDetail, sessionQuery } from "@/api/sessions";
import { useShell } from "@/components/hooks/shell-context";
import { useTitle } from "@/components/hooks/use-title";
import { ago } from "@/lib/ago";
import { dateTime, moment } from "@/lib/format";
import { SESSIONS } from "@/lib/memory-paths";
import { clientName } from "@/texts/agent-clients";
import { endReason, sessions as words } from "@/texts/sessions";
import { QueryBoundary } from "./query-boundary";
import { Remembered } from "./remembered";
import { SessionState } from "./session-state";
import { SessionSummary } from "./session-summary";
import classes from "./sessions.module.css";
import { Timeline } from "./timeline";

export function SessionView() {
  const { "*": id = "" } = useParams();
  const query = useQuery(sessionQuery(id));
  return (
    <>
      <Link className={classes.back} to={SESSIONS}>
        <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" /> {words.all}
      </Link>
      <QueryBoundary query={query}>
        {(session) => <Loaded session={session} now={query.dataUpdatedAt} />}
      </QueryBoundary>
    </>
  );
}

function Loaded({ session, now }: { session: SessionDetail; now: number }) {
  useTitle(session.title === "" ? words.title : session.title);
  return (
    <>
      <div className={classes.head}>
        <h2>
          {session.title === "" ? words.untitled : session.title} <SessionState agent={session.agent} />
        </h2>
      </div>
      <dl className={classes.about}>
        {factsOf(session, now).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
      <Links session={session} />
      <SessionSummary archive={session.archive} />
      <Remembered session={session} />
      <Timeline key={session.id} session={session} />
    </>
  );
}

function Links({ session: { id } }: { session: SessionDetail }) {
  const { me, setDrawerOpen } = useShell();
  const navigate = useNavigate();
  const openDrawer = () => {
    setDrawerOpen(true);
    void navigate(`/c/${id}`);
  };
  const folder = `/memory/at?${new URLSearchParams({ uri: `mem://sessions/${id}` }).toString()}`;
  return (
    <nav className={classes.links} aria-label={words.links}>
      <Button component={Link} to={`/c/${id}`}>
        {words.conversation}
      </Button>
      {me.features?.ui === true && <Button onClick={openDrawer}>{words.drawer}</Button>}
      <Button component={Link} to={folder}>
        {words.tree}
      </Button>
    </nav>
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

function factsOf(
  { agent, message_count, created_at, active_at }: SessionDetail,
  now: number,
): [string, string][] {
  const { facts } = words;
  if (agent === null) {
    return [
      [facts.started, dateTime(created_at)],
      [facts.last, ago(active_at, now)],
      [facts.volume, words.messages(message_count)],
    ];
  }
  const rows: [string, string][] = [
    [facts.agent, clientName(agent.client)],
    [facts.project, agent.cwd === "" ? agent.project : agent.cwd],
    [facts.model, agent.model],
    [facts.started, dateTime(agent.started_at)],
    agent.ended_at === null
      ? [facts.last, ago(agent.last_event_at, now)]
      : [facts.ended, words.endedAt(moment(agent.ended_at), endReason(agent.end_reason))],
    [facts.volume, words.counts(agent.prompt_count, agent.tool_count)],
  ];
  return rows.filter(([, value]) => value !== "");
}
