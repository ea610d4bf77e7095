import type { QueryClient } from "@tanstack/react-query";
import { messagesQuery, PAGE_SIZE } from "@/api/messages";

/** The index of the newest user message among the cached ones. */
export function newestOwnIndex(client: QueryClient, id: string, count: number): number | null {
  for (let page = Math.floor((count - 1) / PAGE_SIZE); page >= 0; page -= 1) {
    const messages = client.getQueryData(messagesQuery(id, page).queryKey);
    const own = messages?.findLast((message) => message.role === "user");
    if (own !== undefined) return own.index;
    if (messages === undefined) return null;
  }
  return null;
}
