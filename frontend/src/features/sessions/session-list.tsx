/** The list of sessions, of agents or of chats, the most recently active first. */

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { SquareTerminal } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { type Session, type SessionKind, sessionsQuery } from "@/api/sessions";
import { useTitle } from "@/components/hooks/use-title";
import { Segmented } from "@/components/ui/segmented";
import { ago } from "@/lib/ago";
import { IMPORT } from "@/lib/memory-paths";
import { clientName } from "@/texts/agent-clients";
import { sessions as words } from "@/texts/sessions";
import { QueryBoundary } from "./query-boundary";
import { SessionState } from "./session-state";
import classes from "./sessions.module.css";

const OPTIONS = (["agent", "chat"] as const).map((value) => ({ value, label: words.kinds[value] }));

export function SessionList() {
  useTitle(words.title);
  const [search, setSearch] = useSearchParams();
  const kind: SessionKind = search.get("kind") === "chat" ? "chat" : "agent";
  const query = useInfiniteQuery(sessionsQuery(kind));
  const choose = (chosen: SessionKind) =>
    setSearch(chosen === "chat" ? { kind: "chat" } : {}, { replace: true });
  return (
    <>
      <div className={classes.head}>
        <h2>{words.title}</h2>
        <Segmented label={words.kind} value={kind} options={OPTIONS} onChange={choose} />
      </div>
      <QueryBoundary query={query}>
        {({ pages }) => (
          <Rows kind={kind} rows={pages.flatMap(({ data }) => data)} now={query.dataUpdatedAt} />
        )}
      </QueryBoundary>
      {query.hasNextPage && (
        <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {words.older}
        </Button>
      )}
    </>
  );
}

function Rows({ kind, rows, now }: { kind: SessionKind; rows: Session[]; now: number }) {
  if (rows.length === 0) return <Empty kind={kind} />;
  return (
    <ul className={classes.rows}>
      {rows.map((session) => (
        <li key={session.id} className={classes.row}>
          <p className={classes.name}>
            <Link to={`/sessions/${session.id}`}>
              {session.title === "" ? words.untitled : session.title}
            </Link>
            <SessionState agent={session.agent} />
          </p>
          <p className={classes.facts}>{factsOf(session, now).join(" · ")}</p>
          {session.archive && <p className={classes.abstract}>{session.archive.abstract}</p>}
        </li>
      ))}
    </ul>
  );
}

function Empty({ kind }: { kind: SessionKind }) {
  const isOfAgents = kind === "agent";
  return (
    <div className={classes.empty}>
      <SquareTerminal size={24} strokeWidth={1.75} aria-hidden="true" />
      <p className={classes.name}>{isOfAgents ? words.emptyTitle : words.emptyChatsTitle}</p>
      <p>{isOfAgents ? words.empty : words.emptyChats}</p>
      {isOfAgents && (
        <p className={classes.ways}>
          <Button component={Link} to="/settings/agents">
            {words.connect}
          </Button>
          <Button variant="subtle" component={Link} to={IMPORT}>
            {words.import}
          </Button>
        </p>
      )}
    </div>
  );
}

function factsOf({ agent, message_count, active_at }: Session, now: number): string[] {
  if (agent === null) return [words.messages(message_count), words.active(ago(active_at, now))];
  return [
    ...(agent.project === "" ? [] : [agent.project]),
    clientName(agent.client),
    words.counts(agent.prompt_count, agent.tool_count),
    words.active(ago(agent.last_event_at, now)),
  ];
}
