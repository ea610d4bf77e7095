/** Links between what waits and what was decided. */

import { useQuery } from "@tanstack/react-query";
import { Link, NavLink, useLocation } from "react-router";
import { inboxCountQuery } from "@/api/inbox-count";
import { inbox } from "@/texts/inbox";
import { DECIDED, INBOX } from "../routes";
import classes from "./inbox.module.css";

export function ViewTabs() {
  const isDecided = useLocation().pathname === DECIDED;
  const { data } = useQuery(inboxCountQuery);
  return (
    <nav className={classes.views} aria-label={inbox.view}>
      <Link to={INBOX} aria-current={isDecided ? undefined : "page"}>
        {inbox.waiting} {data !== undefined && <span>{data.waiting}</span>}
      </Link>
      <NavLink to={DECIDED}>{inbox.decided}</NavLink>
    </nav>
  );
}
