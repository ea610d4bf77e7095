/** How many items wait in the inbox, for the list's badge. A module of its own, because every page shows it. */

import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client";
import { keys } from "./keys";

export const inboxCountQuery = queryOptions({
  queryKey: keys.inboxCount,
  queryFn: ({ signal }) => unwrap(api.GET("/api/inbox/count", { signal })),
});
