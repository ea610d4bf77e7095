/** The memories and earlier messages that were retrieved for a reply. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { keys } from "./keys";

export type UsedItem = Schemas["UsedItem"];

export function usedItemsQuery(id: string, messageId: string) {
  return queryOptions({
    queryKey: keys.used(id, messageId),
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/conversations/{conversation_id}/messages/{message_id}/used", {
          params: { path: { conversation_id: id, message_id: messageId } },
          signal,
        }),
      ),
  });
}
