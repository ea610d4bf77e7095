/** Go to the other chats that diverge at a message. */

import { ActionIcon, Tooltip } from "@mantine/core";
import { ChevronLeft, ChevronRight, type LucideIcon } from "lucide-react";
import { Link } from "react-router";
import { texts } from "@/texts";
import type { Branches } from "../thread/use-branches";
import classes from "./branch-switcher.module.css";

interface Props {
  branches: Branches;
  isCurrent: boolean;
}

export function BranchSwitcher({ branches, isCurrent }: Props) {
  const { chat } = texts;
  const { conversation_ids: ids, index, position } = branches;
  const to = (offset: number) => {
    const id = ids[position + offset];
    return id === undefined ? null : `/c/${id}?m=${index}`;
  };
  return (
    <div className={classes.branches} role="group" aria-label={chat.branchOf(position + 1, ids.length)}>
      <Step name={chat.previousBranch} to={to(-1)} icon={ChevronLeft} isCurrent={isCurrent} />
      <span aria-hidden="true">
        {position + 1}/{ids.length}
      </span>
      <Step name={chat.nextBranch} to={to(1)} icon={ChevronRight} isCurrent={isCurrent} />
    </div>
  );
}

interface StepProps {
  name: string;
  to: string | null;
  icon: LucideIcon;
  isCurrent: boolean;
}

function Step({ name, to, icon: Icon, isCurrent }: StepProps) {
  const icon = <Icon size={16} strokeWidth={1.75} aria-hidden="true" />;
  if (to === null) {
    return (
      <ActionIcon aria-label={name} disabled>
        {icon}
      </ActionIcon>
    );
  }
  return (
    <Tooltip label={name}>
      <ActionIcon component={Link} to={to} aria-label={name} tabIndex={isCurrent ? 0 : -1}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
