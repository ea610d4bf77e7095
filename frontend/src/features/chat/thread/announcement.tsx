/** For those who listen: that a reply begins and that it is there, never its letters as they come. */

import { VisuallyHidden } from "@mantine/core";
import { texts } from "@/texts";
import type { RunningTurn } from "../sending/reply-streams";

export function Announcement({ turn }: { turn: RunningTurn | null }) {
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {words(turn)}
    </VisuallyHidden>
  );
}

function words(turn: RunningTurn | null): string {
  if (turn?.state === "writing") return texts.chat.announceWriting;
  if (turn?.state !== "ended" || turn.ending === null) return "";
  const { index, status, error_code: code } = turn.ending;
  return status === "complete" ? texts.chat.announceReply(index) : texts.chat.ending(code);
}
