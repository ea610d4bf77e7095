/** Roles that a person may give. Only owners may give or change the owner role. */

import type { Role } from "@/api/members";
import { isAllowed, type Me } from "@/api/session";
import { members } from "@/texts/members";

const ROLES = Object.keys(members.roles) as Role[];

export interface RoleOption {
  value: Role;
  label: string;
}

export function roleOptions(me: Me): RoleOption[] {
  const given = ROLES.filter((role) => role !== "owner" || isAllowed(me, "manage_owners"));
  return given.map((value) => ({ value, label: members.roles[value] }));
}

/** Check whether the person may change or remove someone with this role. */
export function mayManage(me: Me, role: Role): boolean {
  return isAllowed(me, role === "owner" ? "manage_owners" : "manage_members");
}
