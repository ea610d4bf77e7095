/** The memories that were made from this chat, and how far it was read; for its owner. */

import { useQuery } from "@tanstack/react-query";
import { Brain } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { type ExtractedMemory, extractedMemoriesQuery, isOfForgetting } from "@/api/conversation-memories";
import { conversationQuery } from "@/api/conversations";
import { extractionQuery } from "@/api/extraction";
import { rememberNow } from "@/components/feedback/remember-now";
import { toastProblem } from "@/components/feedback/toast";
import { Section } from "@/components/ui/section";
import { SourceMark, type SourceRole } from "@/components/ui/source-mark";
import { Tag } from "@/components/ui/tag";
import { TextButton } from "@/components/ui/text-button";
import { count, moment } from "@/lib/format";
import { remembered } from "@/texts/drawer-remembered";
import { remembering } from "@/texts/remembering";
import { useDrawer } from "../drawer-context";
import { LoadError, Skeletons } from "../loading-states";
import classes from "./lists.module.css";

/** Memories are made from what people write. */
const SAID: SourceRole = "user";

export function RememberedSection() {
  const { id } = useDrawer();
  const { data: conversation } = useQuery(conversationQuery(id));
  return conversation?.access === "owner" ? <Remembered /> : null;
}

function Remembered() {
  const { id, canWrite } = useDrawer();
  const { data, error, refetch } = useQuery(extractedMemoriesQuery(id, 0));
  const { data: state } = useQuery(extractionQuery(id));
  const memories = data?.filter((one) => one.state !== "archived" && !isOfForgetting(one)) ?? [];
  const mayAsk =
    canWrite && state !== undefined && !["temporary", "engine", "workspace"].includes(state.off_by);
  return (
    <Section
      name="remembered"
      title={remembered.title}
      icon={Brain}
      count={data === undefined ? "" : count(memories.length)}
      action={mayAsk && <RememberNow>{remembered.now}</RememberNow>}
    >
      {error && <LoadError onRetry={() => void refetch()} />}
      {!error && !data && <Skeletons lines={2} />}
      {data && memories.length === 0 && <p className={classes.none}>{remembered.none}</p>}
      <ul className={classes.list}>
        {memories.map((memory) => (
          <RememberedItem key={memory.id} memory={memory} />
        ))}
      </ul>
      {state?.failure && (
        <p className={classes.none} role="status">
          {remembered.failed(state.failure.detail, state.failure.gave_up, moment(state.failure.retry_at))}{" "}
          {mayAsk && <RememberNow>{remembered.again}</RememberNow>}
        </p>
      )}
      {state && (
        <p className={classes.none}>
          {remembered.state(state.off_by, state.unread_messages, state.next_index)}
        </p>
      )}
    </Section>
  );
}

function RememberNow({ children }: { children: string }) {
  const { id } = useDrawer();
  const navigate = useNavigate();
  const [isReading, setReading] = useState(false);
  const ask = async () => {
    setReading(true);
    await rememberNow(id, () => void navigate("/memory"))
      .catch(toastProblem)
      .finally(() => setReading(false));
  };
  return (
    <TextButton disabled={isReading} onClick={() => void ask()}>
      {children}
    </TextButton>
  );
}

function RememberedItem({ memory }: { memory: ExtractedMemory }) {
  const { showMessage } = useDrawer();
  const { memory_id, statement, state, index } = memory;
  return (
    <li className={classes.item}>
      <div className={classes.line}>
        <span className={classes.words}>
          <Link
            className={classes.link}
            to={state === "proposed" ? `/memory/inbox/${memory_id}` : `/memory/n/${memory_id}`}
          >
            {statement}
          </Link>{" "}
          {state === "proposed" && <Tag tone="warn">{remembering.waits}</Tag>}
          {state === "superseded" && <Tag>{remembering.superseded}</Tag>}
        </span>
        <SourceMark role={SAID} index={index} onShow={showMessage} />
      </div>
    </li>
  );
}
