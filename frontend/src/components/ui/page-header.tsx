/** The head of a page beside the chats: the way to their list, its title, its parts, and at most one action. */

import type { ReactNode } from "react";
import { ListButton } from "./list-button";
import classes from "./page-header.module.css";

interface Props {
  title: string;
  /** What its parts are called together. */
  parts: string;
  /** A link to each part. */
  tabs: ReactNode;
  action?: ReactNode;
}

export function PageHeader({ title, parts, tabs, action }: Props) {
  return (
    <header className={classes.header}>
      <ListButton />
      <h1>{title}</h1>
      <nav className={classes.tabs} aria-label={parts}>
        {tabs}
      </nav>
      {action}
    </header>
  );
}
