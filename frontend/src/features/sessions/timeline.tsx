/** Prompts with their replies, and the runs of tools between them in short. */

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "react-router";
import type { Message } from "@/api/messages";
import { observationsQuery, sessionMessagesQuery } from "@/api/sessions";
import { Markdown } from "@/components/markdown/markdown";
import { moment } from "@/lib/format";
import { messageNumber } from "@/texts/message-number";
import { sessions as words } from "@/texts/sessions";
import { QueryBoundary } from "./query-boundary";
import classes from "./sessions.module.css";
import { textOf, timelineOf } from "./timeline-steps";
import { ToolLines } from "./tool-lines";

interface Props {
  conversationId: string;
  running: boolean;
}

export function Timeline({ conversationId, running }: Props) {
  const { messages, observations, isLoading, hasMore, showMore } = useLoaded(conversationId, running);
  return (
    <section className={classes.block}>
      <h3>{words.timeline}</h3>
      <QueryBoundary query={messages}>
        {(loaded) => (
          <QueryBoundary query={observations}>
            {(seen) => {
              const steps = timelineOf(
                loaded.pages.flat(),
                seen.pages.flatMap(({ data }) => data),
                messages.hasNextPage,
              );
              if (steps.length === 0) return <p className={classes.quiet}>{words.nothing}</p>;
              return (
                <ol className={classes.steps}>
                  {steps.map((step) =>
                    step.kind === "message" ? (
                      <MessageStep
                        key={step.message.id}
                        conversationId={conversationId}
                        message={step.message}
                      />
                    ) : (
                      <li key={step.id}>
                        <ToolLines lines={step.lines} />
                      </li>
                    ),
                  )}
                </ol>
              );
            }}
          </QueryBoundary>
        )}
      </QueryBoundary>
      {hasMore && (
        <Button loading={isLoading} onClick={showMore}>
          {words.more}
        </Button>
      )}
    </section>
  );
}

/** Load the observations as far as the messages are. */
function useLoaded(conversationId: string, running: boolean) {
  const messages = useInfiniteQuery(sessionMessagesQuery(conversationId, running));
  const observations = useInfiniteQuery(observationsQuery(conversationId, running));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = observations;
  const lastMessage = messages.data?.pages.flat().at(-1)?.created_at;
  const lastSeen = observations.data?.pages.at(-1)?.data.at(-1)?.occurred_at;
  const isBehind =
    hasNextPage &&
    lastMessage !== undefined &&
    lastSeen !== undefined &&
    Date.parse(lastSeen) < Date.parse(lastMessage);
  useEffect(() => {
    if (isBehind && !isFetchingNextPage) void fetchNextPage();
  }, [isBehind, isFetchingNextPage, fetchNextPage]);
  return {
    messages,
    observations,
    isLoading: messages.isFetchingNextPage || isFetchingNextPage,
    hasMore: messages.hasNextPage || hasNextPage,
    showMore: () => void (messages.hasNextPage ? messages.fetchNextPage() : fetchNextPage()),
  };
}

function MessageStep({ conversationId, message }: { conversationId: string; message: Message }) {
  const isPrompt = message.role === "user";
  const name = isPrompt ? words.prompt : message.role === "assistant" ? words.reply : words.summaryByAgent;
  return (
    <li className={isPrompt ? classes.prompt : classes.reply}>
      <p className={classes.who}>
        {name} <Link to={`/c/${conversationId}?m=${message.index}`}>{messageNumber(message.index)}</Link>
        <time dateTime={message.created_at}>{moment(message.created_at)}</time>
      </p>
      {message.state === "deleted" ? (
        <p className={classes.quiet}>{words.deleted}</p>
      ) : (
        <Markdown text={textOf(message)} />
      )}
    </li>
  );
}
