/** How a reply ended, if not by its own end; and the way on. */

import { Button } from "@mantine/core";
import { CircleDollarSign, CircleStop, CloudOff, RefreshCw, Scissors, Unplug } from "lucide-react";
import { Link } from "react-router";
import { isAllowed } from "@/api/session";
import { Note } from "@/components/feedback/inline-alert";
import { useShell } from "@/components/hooks/shell-context";
import { texts } from "@/texts";
import { useActions } from "../actions";
import type { MessageProps } from "./message";
import classes from "./message.module.css";

/** After these a person with the right may look at the limits. */
const OF_LIMITS = new Set(["ceiling", "no_price", "recall_only"]);
const QUIET = new Set(["stopped", "max_tokens"]);

export function MessageEnding({ message, isNewest, isBroken, isCurrent }: MessageProps) {
  const { retry, may } = useActions();
  const { me } = useShell();
  const { chat } = texts;
  if (message.role !== "assistant" || message.status === "complete") return null;
  if (message.status === "streaming") return isBroken ? <Broken /> : null;
  const isEmpty = message.content === "";
  const errorCode = message.error_code;
  const isQuiet = QUIET.has(errorCode);
  const words = isEmpty ? chat.emptyEnding(errorCode) : chat.ending(errorCode);
  const said = isEmpty && message.index > 0 ? ` ${chat.savedAs(message.index - 1)}` : "";
  return (
    <>
      <div className={classes.ending}>
        <Note tone={isQuiet ? "info" : "bad"} icon={iconOf(errorCode)} code={isQuiet ? "" : errorCode}>
          {words + said}{" "}
          {OF_LIMITS.has(errorCode) && isAllowed(me, "manage_workspace") && (
            <Link to="/settings/limits">{chat.toLimits}</Link>
          )}{" "}
        </Note>
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

function Broken() {
  return (
    <div className={classes.ending}>
      <Note tone="bad" icon={Unplug} title={texts.chat.broken} role="status">
        {texts.chat.brokenDetail}
      </Note>
    </div>
  );
}

function iconOf(errorCode: string) {
  if (errorCode === "stopped") return CircleStop;
  if (errorCode === "max_tokens") return Scissors;
  if (OF_LIMITS.has(errorCode)) return CircleDollarSign;
  return errorCode === "interrupted" || errorCode === "turn_lost" ? Unplug : CloudOff;
}
