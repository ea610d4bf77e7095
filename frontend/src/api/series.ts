/** How many tokens were live after each message, and where compactions came in. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type Series = Schemas["LiveSeries"];
export type SeriesCompaction = Schemas["CompactionPoint"];

export function seriesQuery(id: string) {
  return queryOptions({
    queryKey: keys.series(id),
    queryFn: () => taken(api.GET("/api/conversations/{conversation_id}/live/series", path(id))),
  });
}
