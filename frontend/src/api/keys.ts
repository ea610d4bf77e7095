/** Query keys of the cache; events invalidate queries by these prefixes. */

export const keys = {
  me: ["me"] as const,
  conversations: ["conversations"] as const,
  named: (externalId: string) => ["named-conversation", externalId] as const,
  userMemory: ["user-memory"] as const,
  contextSettings: ["context-settings"] as const,
  models: ["models"] as const,
  usage: ["usage"] as const,
  policy: ["policy"] as const,
  members: ["members"] as const,
  invitations: ["invitations"] as const,
  agents: ["agents"] as const,
  pairing: (code: string) => ["pairing", code] as const,
  invitation: (secret: string) => ["invitation", secret] as const,
  search: (text: string) => ["search", text] as const,
  /** Prefix of everything in the memory tree. */
  memory: ["memory"] as const,
  tree: (uri: string, archived: boolean) => ["memory", "tree", uri, archived] as const,
  node: (id: string) => ["memory", "node", id] as const,
  erasure: (id: string) => ["memory", "node", id, "erasure"] as const,
  merge: (id: string, sourceIds: readonly string[]) => ["memory", "node", id, "merge", sourceIds] as const,
  address: (target: object) => ["memory", "address", target] as const,
  nodeAt: (uri: string) => ["memory", "at", uri] as const,
  revisions: (id: string) => ["memory", "revisions", id] as const,
  revision: (id: string, revisionId: string) => ["memory", "revision", id, revisionId] as const,
  inboxCount: ["memory", "inbox", "count"] as const,
  /** Prefix of the lists of what waits, by filters. */
  inboxLists: ["memory", "inbox", "list"] as const,
  inbox: (filters: object) => ["memory", "inbox", "list", filters] as const,
  decided: ["memory", "inbox", "decided"] as const,
  quarantine: (source: object, action: string) => ["memory", "inbox", "quarantine", source, action] as const,
  /** All searches. */
  searches: ["find"] as const,
  find: (params: object) => ["find", params] as const,
  branches: ["branches"] as const,
  conversation: (id: string) => ["conversation", id] as const,
  messages: (id: string) => ["conversation", id, "messages"] as const,
  page: (id: string, page: number) => ["conversation", id, "messages", page] as const,
  message: (id: string, messageId: string) => ["conversation", id, "message", messageId] as const,
  summary: (id: string, version?: number) => ["conversation", id, "summary", version ?? "newest"] as const,
  pins: (id: string) => ["conversation", id, "pins"] as const,
  compactions: (id: string) => ["conversation", id, "compactions"] as const,
  exclusions: (id: string) => ["conversation", id, "exclusions"] as const,
  context: (id: string) => ["conversation", id, "context"] as const,
  plan: (id: string, level: string, basis: readonly number[]) =>
    ["conversation", id, "plan", level, basis] as const,
  /** Memories found in the conversation's messages. */
  memories: (id: string) => ["conversation", id, "memories"] as const,
  /** What was retrieved for a reply. */
  used: (id: string, messageId: string) => ["conversation", id, "used", messageId] as const,
  series: (id: string) => ["conversation", id, "series"] as const,
};
