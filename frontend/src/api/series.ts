/** Live tokens after each message, and the compactions between them. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type Series = Schemas["LiveSeries"];
export type SeriesCompaction = Schemas["CompactionPoint"];

export function seriesQuery(id: string) {
  return queryOptions({
    queryKey: keys.series(id),
    queryFn: () => unwrap(api.GET("/api/conversations/{conversation_id}/live/series", path(id))),
  });
}
