/** The error of a reply that did not finish, and a retry. */

import { Button } from "@mantine/core";
import { CircleDollarSign, CircleStop, CloudOff, RefreshCw, Scissors, Unplug } from "lucide-react";
import { Link } from "react-router";
import { isAllowed } from "@/api/session";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { useShell } from "@/components/hooks/shell-context";
import { texts } from "@/texts";
import { useMessageActions } from "../actions";
import type { MessageProps } from "./message";
import classes from "./message.module.css";

/** Errors after which an admin may want to see the limits. */
const LIMIT_ERRORS = new Set(["ceiling", "no_price", "recall_only"]);
const INFO_ERRORS = new Set(["stopped", "max_tokens"]);

export function ReplyError({ message, isNewest, isBroken, isCurrent }: MessageProps) {
  const { retry, may } = useMessageActions();
  const { me } = useShell();
  const { chat } = texts;
  if (message.role !== "assistant" || message.status === "complete") return null;
  if (message.status === "streaming") return isBroken ? <BrokenStream /> : null;
  const isEmpty = message.content === "";
  const errorCode = message.error_code;
  const isInfo = INFO_ERRORS.has(errorCode);
  const reason = isEmpty ? chat.emptyEnding(errorCode) : chat.ending(errorCode);
  const savedNote = isEmpty && message.index > 0 ? ` ${chat.savedAs(message.index - 1)}` : "";
  return (
    <>
      <div className={classes.ending}>
        <InlineAlert tone={isInfo ? "info" : "bad"} icon={iconOf(errorCode)} code={isInfo ? "" : errorCode}>
          {reason + savedNote}{" "}
          {LIMIT_ERRORS.has(errorCode) && isAllowed(me, "manage_workspace") && (
            <Link to="/settings/limits">{chat.toLimits}</Link>
          )}{" "}
        </InlineAlert>
      </div>
      {isNewest && may.change && message.state !== "excluded" && (
        <Button
          className={classes.retry}
          leftSection={<RefreshCw size={16} strokeWidth={1.75} aria-hidden="true" />}
          tabIndex={isCurrent ? 0 : -1}
          onClick={retry}
        >
          {isEmpty ? chat.retry : chat.writeAgain}
        </Button>
      )}
    </>
  );
}

function BrokenStream() {
  return (
    <div className={classes.ending}>
      <InlineAlert tone="bad" icon={Unplug} title={texts.chat.broken} role="status">
        {texts.chat.brokenDetail}
      </InlineAlert>
    </div>
  );
}

function iconOf(errorCode: string) {
  if (errorCode === "stopped") return CircleStop;
  if (errorCode === "max_tokens") return Scissors;
  if (LIMIT_ERRORS.has(errorCode)) return CircleDollarSign;
  return errorCode === "interrupted" || errorCode === "turn_lost" ? Unplug : CloudOff;
}
