/** Permissions on a memory; the server has the final say. */

import type { MemoryNode } from "@/api/memories";
import { type Me, isAllowed } from "@/api/session";
import { isTeam } from "./address";

export function mayWrite(me: Me): boolean {
  return isAllowed(me, "write");
}

/** May curate the memories shared by the workspace. */
export function isCurator(me: Me): boolean {
  return isAllowed(me, "curate_team_memory");
}

/** May edit, archive and undo: curators, owners, and the authors of shared memories. */
export function mayChange(me: Me, { fixed, owner_id, author_id }: MemoryNode): boolean {
  if (!mayWrite(me) || fixed) return false;
  return owner_id !== null || isCurator(me) || author_id === me.user.id;
}

/** May move, merge and delete: for shared memories only curators. */
export function mayManage(me: Me, node: MemoryNode): boolean {
  return mayChange(me, node) && (node.owner_id !== null || isCurator(me));
}

export function mayShare(me: Me, { uri, fixed, owner_id, archived_at }: MemoryNode): boolean {
  return isCurator(me) && isTeam(uri) && !fixed && owner_id !== null && archived_at === null;
}
