/** What somebody may do in a conversation. Whoever reads may still take it along in a fork, if they write at all. */

import type { Conversation } from "@/api/conversations";
import { type Me, isAllowed } from "@/api/session";

export interface May {
  /** Say something, pin, exclude, rename, undo. */
  change: boolean;
  fork: boolean;
  archive: boolean;
}

export function mayIn({ access }: Conversation, me: Me): May {
  const fork = isAllowed(me, "write");
  return { change: fork && access !== "read", fork, archive: fork && access === "owner" };
}
