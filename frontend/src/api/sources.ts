/** The source messages of summary lines. They never change, so each is fetched once, together with others. */

import { queryOptions } from "@tanstack/react-query";
import { batched } from "@/lib/batch";
import { api, type Schemas, unwrap } from "./client";

export interface Source {
  index: number;
  role: Schemas["MessageRoleEnum"];
  name: string;
}

/** As many ids as the server takes in one request. */
const MOST_IDS = 100;

const loaders = new Map<string, (messageId: string) => Promise<Source | null>>();

/** `null` if the message does not exist. */
export function sourceQuery(id: string, messageId: string) {
  return queryOptions({
    queryKey: ["source", id, messageId],
    queryFn: () => loaderOf(id)(messageId),
    staleTime: Infinity,
  });
}

function loaderOf(id: string) {
  const loader = loaders.get(id) ?? batched((ids) => sourcesOf(id, ids), MOST_IDS);
  loaders.set(id, loader);
  return loader;
}

async function sourcesOf(id: string, ids: readonly string[]): Promise<Map<string, Source>> {
  const params = { path: { conversation_id: id }, query: { ids: ids.join(",") } };
  const page = await unwrap(api.GET("/api/conversations/{conversation_id}/messages", { params }));
  return new Map(page.data.map(({ id: messageId, index, role, name }) => [messageId, { index, role, name }]));
}
