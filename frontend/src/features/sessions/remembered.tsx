/** The memories that came from a session, with the messages that they come from. */

import { Link, useNavigate } from "react-router";
import type { SessionDetail } from "@/api/sessions";
import { SourceMark } from "@/components/ui/source-mark";
import { Tag } from "@/components/ui/tag";
import { sessions as words } from "@/texts/sessions";
import classes from "./sessions.module.css";

export function Remembered({ session }: { session: SessionDetail }) {
  const { id, memories, has_more_memories: hasMore } = session;
  return (
    <section className={classes.block}>
      <h3>{words.remembered}</h3>
      {memories.length === 0 ? (
        <p className={classes.quiet}>{words.nothingRemembered}</p>
      ) : (
        <ul className={classes.memories}>
          {memories.map((memory) => (
            <Memory key={`${memory.memory_id} ${memory.message_id}`} conversationId={id} memory={memory} />
          ))}
        </ul>
      )}
      {hasMore && (
        <p className={classes.quiet}>
          <Link to={`/c/${id}`}>{words.moreRemembered}</Link>
        </p>
      )}
    </section>
  );
}

/** Memories of one's own words; those of others wait in the inbox. */
const ROLE = "user";

interface MemoryProps {
  conversationId: string;
  memory: SessionDetail["memories"][number];
}

function Memory({ conversationId, memory: { memory_id, statement, state, index } }: MemoryProps) {
  const navigate = useNavigate();
  return (
    <li>
      <span>
        <Link to={`/memory/n/${memory_id}`}>{statement}</Link>
        {words.states[state] !== "" && (
          <>
            {" "}
            <Tag tone={state === "proposed" ? "warn" : "plain"}>{words.states[state]}</Tag>
          </>
        )}
      </span>
      <SourceMark role={ROLE} index={index} onShow={() => void navigate(`/c/${conversationId}?m=${index}`)} />
    </li>
  );
}
