/** Where a line of the summary comes from: never another message, so it is asked for once. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "./client";
import { Problem } from "./problems";

export interface Source {
  index: number;
  role: Schemas["MessageRoleEnum"];
  name: string;
}

/** `null` where the message is gone, or never was there. */
export function sourceQuery(id: string, messageId: string) {
  return queryOptions({
    queryKey: ["source", id, messageId],
    queryFn: async (): Promise<Source | null> => {
      const params = { path: { conversation_id: id, message_id: messageId } };
      try {
        const { index, role, name } = await taken(
          api.GET("/api/conversations/{conversation_id}/messages/{message_id}", { params }),
        );
        return { index, role, name };
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      }
    },
    staleTime: Infinity,
  });
}
