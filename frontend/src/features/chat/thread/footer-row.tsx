/** The row after the newest message: unsent messages and an active compaction. */

import type { View } from "@/events/reducer";
import type { UnsentMessage } from "@/lib/outbox";
import { UnsentMessageView } from "../message/unsent-message";
import { RunningMarker } from "./running-marker";

interface Props {
  view: View | null;
  waiting: readonly UnsentMessage[];
  author: string;
  afterReply: boolean;
}

export function FooterRow({ view, waiting, author, afterReply }: Props) {
  const compaction = view?.state.compaction;
  const runs = compaction?.state === "running" || compaction?.state === "queued";
  return (
    <>
      {waiting.map((message, index) => (
        <UnsentMessageView
          key={message.externalId}
          message={message}
          author={author}
          afterReply={afterReply || index > 0}
        />
      ))}
      {runs && <RunningMarker compaction={compaction} />}
    </>
  );
}
