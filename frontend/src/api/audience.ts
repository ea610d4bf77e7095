/** Who else reads a conversation. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type Audience = Schemas["Audience"];

export function audienceQuery(id: string) {
  return queryOptions({
    queryKey: keys.audience(id),
    queryFn: () => unwrap(api.GET("/api/conversations/{conversation_id}/audience", path(id))),
  });
}
