/** Permissions in a conversation. Readers may still fork it if their role allows writing. */

import type { Conversation } from "@/api/conversations";
import { type Me, isAllowed } from "@/api/session";

export interface Permissions {
  /** Send, pin, exclude, rename and undo. */
  change: boolean;
  fork: boolean;
  archive: boolean;
  /** Delete messages permanently. */
  delete: boolean;
  /** Make memories from it, which are the owner's. */
  remember: boolean;
}

export function permissionsIn({ access }: Conversation, me: Me): Permissions {
  const fork = isAllowed(me, "write");
  const isOwner = fork && access === "owner";
  return { change: fork && access !== "read", fork, archive: isOwner, delete: isOwner, remember: isOwner };
}
