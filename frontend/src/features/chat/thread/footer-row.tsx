/** What comes after the newest message: messages that wait, and a compaction that runs. */

import type { View } from "@/events/reducer";
import type { Waiting } from "@/lib/outbox";
import { WaitingMessage } from "../message/unsent-message";
import { RunningMarker } from "./running-marker";

interface Props {
  view: View | null;
  waiting: readonly Waiting[];
  author: string;
  afterReply: boolean;
}

export function TailRow({ view, waiting, author, afterReply }: Props) {
  const compaction = view?.state.compaction;
  const runs = compaction?.state === "running" || compaction?.state === "queued";
  return (
    <>
      {waiting.map((message, place) => (
        <WaitingMessage
          key={message.externalId}
          message={message}
          author={author}
          afterReply={afterReply || place > 0}
        />
      ))}
      {runs && <RunningMarker compaction={compaction} />}
    </>
  );
}
