/** How many items wait in the inbox; nothing if none does. */

import { useQuery } from "@tanstack/react-query";
import { inboxCountQuery } from "@/api/inbox-count";
import { texts } from "@/texts";
import classes from "./inbox-count.module.css";

export function InboxCount() {
  const { data } = useQuery(inboxCountQuery);
  if (!data?.waiting) return null;
  return (
    <span className={classes.count} role="img" aria-label={texts.list.inboxWaits(data.waiting)}>
      {data.waiting}
    </span>
  );
}
