/** The names under which answers are kept; what an event touches is found by them. */

export const keys = {
  me: ["me"] as const,
  conversations: ["conversations"] as const,
  named: (externalId: string) => ["named-conversation", externalId] as const,
  userMemory: ["user-memory"] as const,
  contextSettings: ["context-settings"] as const,
  models: ["models"] as const,
  usage: ["usage"] as const,
  policy: ["policy"] as const,
  search: (text: string) => ["search", text] as const,
  conversation: (id: string) => ["conversation", id] as const,
  messages: (id: string) => ["conversation", id, "messages"] as const,
  page: (id: string, page: number) => ["conversation", id, "messages", page] as const,
  message: (id: string, messageId: string) => ["conversation", id, "message", messageId] as const,
  summary: (id: string, version?: number) => ["conversation", id, "summary", version ?? "newest"] as const,
  pins: (id: string) => ["conversation", id, "pins"] as const,
  compactions: (id: string) => ["conversation", id, "compactions"] as const,
  exclusions: (id: string) => ["conversation", id, "exclusions"] as const,
  context: (id: string) => ["conversation", id, "context"] as const,
  series: (id: string) => ["conversation", id, "series"] as const,
};
