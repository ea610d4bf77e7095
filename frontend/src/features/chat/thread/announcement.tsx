/** Announce to screen readers that a reply starts and ends, not its text. */

import { VisuallyHidden } from "@mantine/core";
import { texts } from "@/texts";
import type { RunningTurn } from "../sending/reply-streams";

export function ReplyAnnouncement({ turn }: { turn: RunningTurn | null }) {
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {announcementOf(turn)}
    </VisuallyHidden>
  );
}

function announcementOf(turn: RunningTurn | null): string {
  if (turn?.state === "writing") return texts.chat.announceWriting;
  if (turn?.state !== "ended" || turn.ending === null) return "";
  const { index, status, error_code: code } = turn.ending;
  return status === "complete" ? texts.chat.announceReply(index) : texts.chat.ending(code);
}
