/** The buttons of a message. Tab stops only at those of the current one. */

import { ActionIcon, Tooltip } from "@mantine/core";
import { Copy, Eye, EyeOff, GitBranch, Pencil, Pin, PinOff, RefreshCw, type LucideIcon } from "lucide-react";
import type { Message } from "@/api/messages";
import { texts } from "@/texts";
import { type MessageActions, useActions } from "../actions";
import { useIsUnderWay } from "../in-flight";
import { isNothing } from "./message-body";
import classes from "./message-tools.module.css";

interface Props {
  message: Message;
  isPinned: boolean;
  isCurrent: boolean;
}

interface Tool {
  name: string;
  icon: LucideIcon;
  run: (message: Message) => void;
}

export function MessageTools({ message, isPinned, isCurrent }: Props) {
  const actions = useActions();
  const isBusy = useIsUnderWay(message.id);
  return (
    <div className={classes.tools} role="group" aria-label={texts.chat.tools} aria-busy={isBusy}>
      {toolsOf(message, isPinned, actions).map(({ name, icon: Icon, run }) => (
        <Tooltip key={name} label={name}>
          <ActionIcon
            aria-label={name}
            aria-disabled={isBusy}
            tabIndex={isCurrent ? 0 : -1}
            onClick={() => run(message)}
          >
            <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}

function toolsOf(message: Message, isPinned: boolean, actions: MessageActions): Tool[] {
  const { chat } = texts;
  const isOut = message.state === "excluded";
  const isEmpty = isNothing(message);
  const { change, fork } = actions.may;
  return [
    tool(!isEmpty, chat.copy, Copy, actions.copy),
    tool(change && message.role === "user", chat.edit, Pencil, actions.edit),
    tool(change && isRegenerated(message), chat.regenerate, RefreshCw, actions.regenerate),
    tool(fork, chat.fork, GitBranch, actions.fork),
    tool(change && isOut, chat.include, Eye, actions.exclude),
    tool(change && !isOut, chat.exclude, EyeOff, actions.exclude),
    tool(change && !isEmpty && isPinned, chat.unpin, PinOff, actions.pin),
    tool(change && !isEmpty && !isPinned, chat.pin, Pin, actions.pin),
  ].flat();
}

function tool(isOffered: boolean, name: string, icon: LucideIcon, run: Tool["run"]): Tool[] {
  return isOffered ? [{ name, icon, run }] : [];
}

export function isRegenerated(message: Message): boolean {
  return message.role === "assistant" && message.status !== "streaming" && message.index > 0;
}
