/** The memory tree, one directory at a time. */

import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { keys } from "./keys";

export type NodeLine = Schemas["MemoryLine"];

const LIMIT = 100;

/** The direct children of an address. */
export function treeQuery(uri: string, archived: boolean) {
  return infiniteQueryOptions({
    queryKey: keys.tree(uri, archived),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = {
        uri,
        limit: LIMIT,
        ...(archived && { archived }),
        ...(pageParam && { cursor: pageParam }),
      };
      return unwrap(api.GET("/api/tree", { params: { query }, signal }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}
