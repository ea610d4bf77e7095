/** Whether one may change the conversation: one's role says so, and what it is shared for. */

import { useQuery } from "@tanstack/react-query";
import { conversationQuery } from "@/api/conversations";
import { isAllowed } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";

export function useMayWrite(id: string): boolean {
  const { me } = useShell();
  const { data: conversation } = useQuery(conversationQuery(id));
  return isAllowed(me, "write") && conversation?.access !== "read";
}
