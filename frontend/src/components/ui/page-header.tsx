/** The header of a page next to the conversation list: title, tabs and at most one action. */

import type { ReactNode } from "react";
import { ListButton } from "./list-button";
import classes from "./page-header.module.css";

interface Props {
  title: string;
  /** The accessible name of the tabs. */
  parts: string;
  /** A link for each tab. */
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
