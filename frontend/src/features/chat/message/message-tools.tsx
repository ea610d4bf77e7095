/** The buttons of a message. Tab stops only at those of the current one. */

import { ActionIcon, Tooltip } from "@mantine/core";
import { Copy, Eye, EyeOff, GitBranch, Pencil, Pin, PinOff, RefreshCw, type LucideIcon } from "lucide-react";
import type { Message } from "@/api/messages";
import { texts } from "@/texts";
import { type MessageActions, useActions } from "../actions";
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
  return (
    <div className={classes.tools} role="group" aria-label={texts.chat.tools}>
      {toolsOf(message, isPinned, actions).map(({ name, icon: Icon, run }) => (
        <Tooltip key={name} label={name}>
          <ActionIcon aria-label={name} tabIndex={isCurrent ? 0 : -1} onClick={() => run(message)}>
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
  return [
    ...(isEmpty ? [] : [{ name: chat.copy, icon: Copy, run: actions.copy }]),
    ...(message.role === "user" ? [{ name: chat.edit, icon: Pencil, run: actions.edit }] : []),
    ...(isRegenerated(message) ? [{ name: chat.regenerate, icon: RefreshCw, run: actions.regenerate }] : []),
    { name: chat.fork, icon: GitBranch, run: actions.fork },
    isOut
      ? { name: chat.include, icon: Eye, run: actions.exclude }
      : { name: chat.exclude, icon: EyeOff, run: actions.exclude },
    ...(isEmpty ? [] : [pinning(isPinned, actions)]),
  ];
}

function pinning(isPinned: boolean, { pin: run }: MessageActions): Tool {
  return isPinned ? { name: texts.chat.unpin, icon: PinOff, run } : { name: texts.chat.pin, icon: Pin, run };
}

export function isRegenerated(message: Message): boolean {
  return message.role === "assistant" && message.status !== "streaming" && message.index > 0;
}
