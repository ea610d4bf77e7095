/** Check write access to the conversation by role and access. */

import { useQuery } from "@tanstack/react-query";
import { conversationQuery } from "@/api/conversations";
import { isAllowed } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";

export function useCanWrite(id: string): boolean {
  const { me } = useShell();
  const { data: conversation } = useQuery(conversationQuery(id));
  return isAllowed(me, "write") && conversation?.access !== "read";
}
