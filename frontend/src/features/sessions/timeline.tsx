/** Prompts with their replies, and the runs of tools between them in short; of a long session the newest part. */

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import type { Message } from "@/api/messages";
import { isRunning, observationsQuery, type SessionDetail, sessionMessagesQuery } from "@/api/sessions";
import { Markdown } from "@/components/markdown/markdown";
import { TextButton } from "@/components/ui/text-button";
import { moment } from "@/lib/format";
import { messageNumber } from "@/texts/message-number";
import { sessions as words } from "@/texts/sessions";
import { QueryBoundary } from "./query-boundary";
import classes from "./sessions.module.css";
import { type Step, textOf, timelineOf } from "./timeline-steps";
import { ToolLines } from "./tool-lines";

/** Fewer steps are seen without scrolling far. */
const MANY_STEPS = 8;

export function Timeline({ session }: { session: SessionDetail }) {
  const { messages, observations, isLoading, hasEarlier, showEarlier } = useLoaded(session);
  return (
    <section className={classes.block}>
      <QueryBoundary query={messages}>
        {(loaded) => (
          <QueryBoundary query={observations}>
            {(seen) => (
              <Steps
                session={session}
                steps={timelineOf(
                  loaded.pages.flat(),
                  seen.pages.flatMap(({ data }) => data).toReversed(),
                  messages.hasPreviousPage,
                )}
                earlier={
                  hasEarlier && (
                    <Button loading={isLoading} onClick={showEarlier}>
                      {words.earlier}
                    </Button>
                  )
                }
              />
            )}
          </QueryBoundary>
        )}
      </QueryBoundary>
    </section>
  );
}

interface StepsProps {
  session: SessionDetail;
  steps: readonly Step[];
  earlier: ReactNode;
}

function Steps({ session: { id, agent }, steps, earlier }: StepsProps) {
  const list = useRef<HTMLOListElement>(null);
  const jump = () => {
    const last = list.current?.lastElementChild;
    if (!(last instanceof HTMLElement)) return;
    last.scrollIntoView({ block: "end" });
    last.focus({ preventScroll: true });
  };
  return (
    <>
      <div className={classes.head}>
        <h3>{words.timeline}</h3>
        {steps.length > MANY_STEPS && <TextButton onClick={jump}>{words.latest}</TextButton>}
      </div>
      {earlier}
      {steps.length === 0 && <p className={classes.quiet}>{words.nothing}</p>}
      <ol ref={list} className={classes.steps}>
        {steps.map((step, place) => (
          <li
            key={step.kind === "message" ? step.message.id : step.id}
            tabIndex={place === steps.length - 1 ? -1 : undefined}
            className={classOf(step)}
          >
            {step.kind === "message" ? (
              <MessageStep conversationId={id} message={step.message} />
            ) : (
              <ToolLines lines={step.lines} directory={agent?.cwd ?? ""} />
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Load the observations back as far as the messages, and what a running session adds. */
function useLoaded(session: SessionDetail) {
  const running = isRunning(session);
  // The pages are counted from the end that the session had when it was opened.
  const [messageCount] = useState(session.message_count);
  const messages = useInfiniteQuery(sessionMessagesQuery(session.id, messageCount, running));
  const observations = useInfiniteQuery(observationsQuery(session.id, running));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = observations;
  const firstMessage = messages.data?.pages.flat()[0]?.created_at;
  const firstSeen = observations.data?.pages.at(-1)?.data.at(-1)?.occurred_at;
  const isBehind =
    hasNextPage &&
    firstMessage !== undefined &&
    firstSeen !== undefined &&
    Date.parse(firstSeen) > Date.parse(firstMessage);
  useEffect(() => {
    if (isBehind && !isFetchingNextPage) void fetchNextPage();
  }, [isBehind, isFetchingNextPage, fetchNextPage]);
  const { hasNextPage: hasLater, isFetching, fetchNextPage: fetchLater } = messages;
  useEffect(() => {
    if (hasLater && !isFetching) void fetchLater();
  }, [hasLater, isFetching, fetchLater]);
  return {
    messages,
    observations,
    isLoading: messages.isFetchingPreviousPage || isFetchingNextPage,
    hasEarlier: messages.hasPreviousPage || hasNextPage,
    showEarlier: () => void (messages.hasPreviousPage ? messages.fetchPreviousPage() : fetchNextPage()),
  };
}

function classOf(step: Step): string | undefined {
  if (step.kind !== "message") return undefined;
  return step.message.role === "user" ? classes.prompt : classes.reply;
}

function MessageStep({ conversationId, message }: { conversationId: string; message: Message }) {
  const isPrompt = message.role === "user";
  const name = isPrompt ? words.prompt : message.role === "assistant" ? words.reply : words.summaryByAgent;
  return (
    <>
      <p className={classes.who}>
        {name} <Link to={`/c/${conversationId}?m=${message.index}`}>{messageNumber(message.index)}</Link>
        <time dateTime={message.created_at}>{moment(message.created_at)}</time>
      </p>
      {message.state === "deleted" ? (
        <p className={classes.quiet}>{words.deleted}</p>
      ) : (
        <Markdown text={textOf(message)} />
      )}
    </>
  );
}
