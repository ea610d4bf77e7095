/** Report messages or compactions in view that could not be loaded. */

import { CloudOff } from "lucide-react";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import classes from "./thread.module.css";
import type { Messages } from "./use-messages";
import type { Runs } from "./use-runs";

export function LoadError({ messages, runs }: { messages: Messages; runs: Runs }) {
  const { chat, common } = texts;
  const retry = () => {
    if (messages.hasFailed) messages.retry();
    if (runs.hasFailed) runs.retry();
  };
  return (
    <div role="status">
      {(messages.hasFailed || runs.hasFailed) && (
        <p className={classes.missing}>
          <CloudOff size={16} strokeWidth={1.75} aria-hidden="true" />
          {messages.hasFailed ? chat.notLoaded : chat.runsNotLoaded}
          <TextButton onClick={retry}>{common.retry}</TextButton>
        </p>
      )}
    </div>
  );
}
