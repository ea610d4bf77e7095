/** Says that messages in sight, or the compactions between them, did not come, for as long as they are not here. */

import { CloudOff } from "lucide-react";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import classes from "./thread.module.css";
import type { Messages } from "./use-messages";
import type { Runs } from "./use-runs";

export function Missing({ messages, runs }: { messages: Messages; runs: Runs }) {
  const { chat, common } = texts;
  const again = () => {
    if (messages.isMissing) messages.askAgain();
    if (runs.isMissing) runs.askAgain();
  };
  return (
    <div role="status">
      {(messages.isMissing || runs.isMissing) && (
        <p className={classes.missing}>
          <CloudOff size={16} strokeWidth={1.75} aria-hidden="true" />
          {messages.isMissing ? chat.notLoaded : chat.runsNotLoaded}
          <TextButton onClick={again}>{common.retry}</TextButton>
        </p>
      )}
    </div>
  );
}
