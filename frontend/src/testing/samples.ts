/** Sample users and conversations in the API's format; tests override what matters to them. */

import type { Conversation } from "@/api/conversations";
import type { Me, Permission } from "@/api/session";

type Workspace = Me["memberships"][number];

export const ACME: Workspace = {
  id: "w1",
  name: "Acme",
  role: "owner",
  created_at: "2026-01-01T00:00:00Z",
};

/** An owner's permissions, as the server grants them. */
const EVERY_PERMISSION: Permission[] = [
  "read",
  "write",
  "curate_team_memory",
  "read_usage",
  "manage_self",
  "manage_own_keys",
  "manage_all_keys",
  "read_all_operations",
  "manage_workspace",
  "manage_models",
  "manage_members",
  "manage_owners",
];

/** The session of a member. */
export const AS_MEMBER = {
  role: "member",
  role_label: "Member",
  scopes: ["read", "write"],
  permissions: ["read", "write", "manage_self", "manage_own_keys"],
} satisfies Partial<Me>;

/** The session of a viewer. */
export const AS_VIEWER = {
  role: "viewer",
  role_label: "Viewer",
  scopes: ["read"],
  permissions: ["read", "manage_self", "manage_own_keys"],
} satisfies Partial<Me>;

export function me(changes: Partial<Me> = {}): Me {
  return {
    user: {
      id: "u1",
      email: "alice@example.org",
      name: "Alice",
      tour_done: false,
      is_operator: false,
      created_at: "2026-01-01T00:00:00Z",
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    memberships: [ACME],
    workspace: ACME,
    role: "owner",
    role_label: "Owner",
    scopes: ["read", "write", "admin"],
    permissions: EVERY_PERMISSION,
    features: { engine: true, auto_compact: true, ui: true },
    chat_model: { provider: "anthropic", model: "claude", configured: true, reason: "" },
    spending: { state: "open", detail: "", without_model: "", resets_at: "2026-11-22T00:00:00Z" },
    ...changes,
  };
}

export function chat(id: string, changes: Partial<Conversation> = {}): Conversation {
  return {
    id,
    owner_id: "u1",
    title: `Chat ${id}`,
    system_prompt: "",
    external_id: null,
    copied_from: null,
    copied_through: null,
    token_budget: null,
    remembers: true,
    temporary: false,
    private_memory_when_shared: false,
    message_count: 4,
    token_total: 400,
    excluded_tokens: 0,
    live_count: 4,
    live_tokens: 400,
    version: 1,
    archived_at: null,
    access: "owner",
    active_at: new Date().toISOString(),
    created_at: new Date().toISOString(),
    updated_at: new Date().toISOString(),
    owner_name: "",
    ...changes,
  };
}

export function page<T>(data: T[], next_cursor: string | null = null) {
  return { data, next_cursor, has_more: next_cursor !== null };
}
