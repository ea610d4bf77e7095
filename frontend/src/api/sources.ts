/** The source message of a summary line. It never changes, so it is fetched once. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { Problem } from "./problems";

export interface Source {
  index: number;
  role: Schemas["MessageRoleEnum"];
  name: string;
}

/** `null` if the message does not exist. */
export function sourceQuery(id: string, messageId: string) {
  return queryOptions({
    queryKey: ["source", id, messageId],
    queryFn: async (): Promise<Source | null> => {
      const params = { path: { conversation_id: id, message_id: messageId } };
      try {
        const { index, role, name } = await unwrap(
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
