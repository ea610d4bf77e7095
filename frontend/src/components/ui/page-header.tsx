/** The header of a page next to the conversation list: title, tabs and at most one action. */

import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";
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
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a phone not all tabs have room at once, and one grows when its count is loaded.
  useEffect(() => {
    const sizes = new ResizeObserver(() => {
      const current = nav.current?.querySelector('[aria-current="page"]');
      current?.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    for (const tab of nav.current?.children ?? []) sizes.observe(tab);
    return () => sizes.disconnect();
  }, [pathname]);
  return (
    <header className={classes.header}>
      <ListButton />
      <h1>{title}</h1>
      <nav ref={nav} className={classes.tabs} aria-label={parts}>
        {tabs}
      </nav>
      {action}
    </header>
  );
}
