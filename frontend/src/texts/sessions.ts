/** The list of sessions, and the page of one. */

import { plural } from "./plural";

const END_REASONS: Record<string, string> = {
  inactive: "no event for 15 minutes",
  clear: "cleared",
  resume: "another session was resumed",
  logout: "signed out",
  prompt_input_exit: "left at the prompt",
  other: "",
};

/** A reason that this page does not know is shown as the agent reported it. */
export function endReason(reason: string): string {
  return END_REASONS[reason] ?? reason.replaceAll("_", " ");
}

export const sessions = {
  title: "Sessions",
  kind: "Show",
  kinds: { agent: "Coding agents", chat: "Chats" },
  notLoaded: "Couldn't load this. Nothing was changed.",
  emptyTitle: "No agent has called",
  empty: "Sessions of coding agents appear here while they run. Connect an agent to begin.",
  connect: "Connect an agent",
  import: "Import earlier sessions",
  emptyChatsTitle: "No chats yet",
  emptyChats: "Chats appear here, newest first.",
  older: "Show older sessions",
  untitled: "Untitled session",
  running: "Running",
  ended: "Ended",
  counts: (prompts: number, tools: number) => `${plural(prompts, "prompt")}, ${plural(tools, "tool call")}`,
  messages: (many: number) => plural(many, "message"),
  active: (when: string) => `active ${when}`,

  all: "All sessions",
  facts: {
    agent: "Agent",
    project: "Project",
    model: "Model",
    started: "Started",
    last: "Last event",
    ended: "Ended",
    volume: "Volume",
  },
  endedAt: (when: string, reason: string) => (reason === "" ? when : `${when}, ${reason}`),
  links: "Elsewhere",
  conversation: "Open the conversation",
  drawer: "Context and receipts",
  tree: "In the memory tree",

  summary: "Summary",
  noSummary: "No summary yet. It is written when the session pauses.",
  summaryDetails: "Show the whole summary",
  openSummary: "Open in memory",
  remembered: "Remembered from it",
  nothingRemembered: "Nothing yet. Memories are made when the session pauses, and only from what you say.",
  moreRemembered: "There are more in the conversation.",
  states: {
    accepted: "",
    proposed: "waits in the inbox",
    superseded: "replaced since",
    archived: "archived",
  },

  timeline: "What happened",
  nothing: "Nothing has been recorded in this session.",
  earlier: "Show what came before",
  latest: "Jump to the latest",
  prompt: "Prompt",
  reply: "Reply",
  summaryByAgent: "Message",
  deleted: "This message was deleted.",
  failed: "failed",
  subagent: "subagent",
  files: "Files",
  digest: (title: string) => `Result of ${title}`,
  nothingReturned: "It returned nothing.",
  kinds_of: {
    tool: "tool",
    tool_failure: "tool",
    subagent: "subagent",
    compaction: "compaction",
    notification: "notification",
    permission: "permission",
    task: "task",
    failure: "failure",
    setting: "setting",
    imported: "imported observation",
    summary: "summary",
  },
  compared: (lines: number, lost: number) =>
    lost === 0
      ? `The agent's summary has all ${plural(lines, "line")} of ours that it could be compared with.`
      : `The agent's summary lost ${lost} of ${plural(lines, "line")} of ours. They come back with the next start.`,
};
