/** Conversations that share a beginning. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";

export type BranchPoint = Schemas["BranchPoint"];

export function branchesQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.branches, id],
    queryFn: () => unwrap(api.GET("/api/conversations/{conversation_id}/branches", path(id))),
    // Forks of other conversations change it.
    staleTime: 0,
  });
}
