/** What somebody may do with a memory; the server decides in the end. */

import type { MemoryNode } from "@/api/memories";
import { type Me, isAllowed } from "@/api/session";
import { isTeam } from "./address";

export function mayWrite(me: Me): boolean {
  return isAllowed(me, "write");
}

/** Keeps what all of the workspace share. */
export function isKeeper(me: Me): boolean {
  return isAllowed(me, "curate_team_memory");
}

/** Edits, archives and undoes: what all share is changed by its author too. */
export function mayChange(me: Me, { fixed, owner_id, author_id }: MemoryNode): boolean {
  if (!mayWrite(me) || fixed) return false;
  return owner_id !== null || isKeeper(me) || author_id === me.user.id;
}

/** Moves, merges and erases: what all share is not its author's alone. */
export function mayManage(me: Me, node: MemoryNode): boolean {
  return mayChange(me, node) && (node.owner_id !== null || isKeeper(me));
}

export function mayShare(me: Me, { uri, fixed, owner_id, archived_at }: MemoryNode): boolean {
  return isKeeper(me) && isTeam(uri) && !fixed && owner_id !== null && archived_at === null;
}
