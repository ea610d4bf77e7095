/** The buttons of a message. Only those of the current message are in the tab order. */

import { ActionIcon, Tooltip } from "@mantine/core";
import {
  Copy,
  Eye,
  EyeOff,
  GitBranch,
  Pencil,
  Pin,
  PinOff,
  RefreshCw,
  Trash2,
  type LucideIcon,
} from "lucide-react";
import type { Message } from "@/api/messages";
import { texts } from "@/texts";
import { type MessageActions, useMessageActions } from "../actions";
import { useIsInFlight } from "../in-flight";
import { isEmptyMessage } from "./message-body";
import classes from "./message-tools.module.css";

interface Props {
  message: Message;
  isPinned: boolean;
  isCurrent: boolean;
  onDelete: () => void;
}

interface Tool {
  name: string;
  icon: LucideIcon;
  run: (message: Message) => void;
}

/** Deleting asks first. */
type ToolActions = Omit<MessageActions, "delete"> & { delete: () => void };

export function MessageTools({ message, isPinned, isCurrent, onDelete }: Props) {
  const actions = useMessageActions();
  const isBusy = useIsInFlight(message.id);
  return (
    <div className={classes.tools} role="group" aria-label={texts.chat.tools} aria-busy={isBusy}>
      {toolsOf(message, isPinned, { ...actions, delete: onDelete }).map(({ name, icon: Icon, run }) => (
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

function toolsOf(message: Message, isPinned: boolean, actions: ToolActions): Tool[] {
  const { chat } = texts;
  const isExcluded = message.state === "excluded";
  const isEmpty = isEmptyMessage(message);
  const isDeleted = message.state === "deleted";
  const change = actions.may.change && !isDeleted;
  return [
    tool(!isEmpty, chat.copy, Copy, actions.copy),
    tool(change && message.role === "user", chat.edit, Pencil, actions.edit),
    tool(change && canRegenerate(message), chat.regenerate, RefreshCw, actions.regenerate),
    tool(actions.may.fork, chat.fork, GitBranch, actions.fork),
    tool(change && isExcluded, chat.include, Eye, actions.exclude),
    tool(change && !isExcluded, chat.exclude, EyeOff, actions.exclude),
    tool(change && !isEmpty && isPinned, chat.unpin, PinOff, actions.pin),
    tool(change && !isEmpty && !isPinned, chat.pin, Pin, actions.pin),
    tool(actions.may.delete && !isDeleted, chat.delete, Trash2, actions.delete),
  ].flat();
}

function tool(isOffered: boolean, name: string, icon: LucideIcon, run: Tool["run"]): Tool[] {
  return isOffered ? [{ name, icon, run }] : [];
}

export function canRegenerate(message: Message): boolean {
  return message.role === "assistant" && message.status !== "streaming" && message.index > 0;
}
