/** The head of a page beside the chats: the way to their list, its title, its parts, and at most one action. */

import { ActionIcon } from "@mantine/core";
import { Menu as MenuIcon } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "@/texts";
import classes from "./page-header.module.css";
import { useShell } from "./shell-context";

interface Props {
  title: string;
  /** What its parts are called together. */
  parts: string;
  /** A link to each part. */
  tabs: ReactNode;
  action?: ReactNode;
}

export function PageHeader({ title, parts, tabs, action }: Props) {
  const { openList } = useShell();
  return (
    <header className={classes.header}>
      <ActionIcon className={classes.list ?? ""} aria-label={texts.chat.header.openList} onClick={openList}>
        <MenuIcon size={20} strokeWidth={1.75} aria-hidden="true" />
      </ActionIcon>
      <h1>{title}</h1>
      <nav className={classes.tabs} aria-label={parts}>
        {tabs}
      </nav>
      {action}
    </header>
  );
}
