import type { QueryClient } from "@tanstack/react-query";
import { messagesQuery, PAGE } from "@/api/messages";

/** The index of the newest message that a person said, among those that are here. */
export function newestOwn(client: QueryClient, id: string, count: number): number | null {
  for (let page = Math.floor((count - 1) / PAGE); page >= 0; page -= 1) {
    const messages = client.getQueryData(messagesQuery(id, page).queryKey);
    const own = messages?.findLast((message) => message.role === "user");
    if (own !== undefined) return own.index;
    if (messages === undefined) return null;
  }
  return null;
}
