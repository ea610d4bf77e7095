/** The import of other tools' files. */

import { count, plural } from "./plural";

const SOURCES = {
  "transcripts": "Claude Code transcripts",
  "claude-memory": "Claude Code memory files",
  "claude-mem": "claude-mem database",
  "chatgpt": "ChatGPT export",
  "claude-ai": "Claude.ai export",
  "json": "JSON: Continuity export, mem0, Honcho, or a list of memories",
};

/** By the kind of item: one, several. */
const KINDS: Record<string, [string, string]> = {
  session: ["session", "sessions"],
  agent_session: ["session", "sessions"],
  transcript: ["session transcript", "session transcripts"],
  conversation: ["chat", "chats"],
  prompt: ["prompt", "prompts"],
  tool_use: ["tool call", "tool calls"],
  observation: ["observation", "observations"],
  agent_observation: ["observation", "observations"],
  summary: ["session summary", "session summaries"],
  summary_version: ["version of a chat's summary", "versions of chats' summaries"],
  memory: ["memory", "memories"],
  node: ["memory", "memories"],
  node_history: ["history of a memory", "histories of memories"],
  session_memory: ["memory of a session", "memories of sessions"],
  node_conflict: ["link between memories", "links between memories"],
  user_memory: ["note sent with every chat", "notes sent with every chat"],
  pin: ["pin", "pins"],
};

const REASONS: Record<string, string> = {
  private: "It is marked as private.",
  deleted: "You deleted it here.",
  deleted_memory: "You deleted this memory here.",
  known_memory: "It is known already.",
  no_messages: "It has no messages.",
  empty_content: "It has no text.",
  address_taken: "Another memory has its address.",
  observer_session: "It is a session of claude-mem's own observer.",
  no_session: "It does not name its session.",
  archive_changed: "You or an earlier import changed it here.",
  session_recorded: "Its session is recorded here already.",
  not_confirmed: "It is imported only with what is your own.",
};

export const importFiles = {
  title: "Import from other tools",
  open: "Import",
  lead: "Bring in what other tools know about you. You see a preview first, and nothing is imported twice.",
  drop: "Drop files or a folder here",
  dropNow: "Drop to see the preview",
  files: "Choose files",
  folder: "Choose a folder",
  sources: SOURCES,
  where: "Where the files are",
  places: {
    "transcripts": "~/.claude/projects, or any .jsonl file in it",
    "claude-memory": "~/.claude/projects/…/memory, Markdown files",
    "claude-mem": "~/.claude-mem/claude-mem.db, with its -wal file if there is one",
    "chatgpt": "Settings › Data controls › Export data: the zip archive",
    "claude-ai": "Settings › Privacy › Export data: the zip archive",
    "json": ".json or .jsonl files",
  },
  command: "For more than 64 MB, use the command on your own computer:",
  fromFolder: "From another tool?",
  fromFolderLink: "Import transcripts, chats and memories of other tools",

  nothingPicked: "There is nothing to import in it: no .json, .jsonl, .md, .db or .zip file.",
  tooMany: (most: number) => `At most ${count(most)} files at once. Choose fewer, or use the command.`,
  tooLarge: (size: string, most: string) =>
    `These files have ${size}. The browser can import ${most} at once; for more, use the command.`,

  uploading: "Uploading",
  sent: (sent: string, all: string, percent: number) => `Uploading: ${sent} of ${all}, ${percent}%`,
  announceSent: (percent: number) => `Uploading: ${percent}%`,
  uploaded: "Uploaded. Waiting for the server",
  interrupted: "The upload was interrupted",
  interruptedAfter: (sent: string, all: string, many: number) =>
    `The connection was lost after ${sent} of ${all}. Your ${many === 1 ? "file is" : "files are"} still selected.`,
  waiting: "Waiting for a worker",
  reading: "Reading the files",
  previewing: "Preparing the preview",
  importing: "Importing",
  background: "You can leave this page; the import goes on.",
  cancel: "Cancel",
  cancelAgain: "Cancel again",
  canceled: {
    nothing_imported: "Canceled. Nothing was imported.",
    rest_not_imported: "Canceled. What was imported before stays.",
  },

  preview: "Preview",
  source: "Source",
  picked: (many: number, size: string) => `${plural(many, "file")}, ${size}`,
  nothingYet: "Nothing is imported yet.",
  also: (source: string) => `These files also contain: ${source}. Change the source to import them.`,
  counts: "What is in the files",
  countsImported: "What was in the files",
  columns: { kind: "Kind", created: "New", existing: "Here already", skipped: "Skipped", refused: "Refused" },
  updated: (many: number) =>
    many === 1
      ? "1 item that was here already changes."
      : `${count(many)} items that were here already change.`,
  messages: (many: number) => `${plural(many, "new message")} in all.`,
  kind: (kind: string, many: number) => {
    const [one, several] = KINDS[kind] ?? ["unreadable part", "unreadable parts"];
    return many === 1 ? one : several;
  },
  kindTitle: (kind: string) => {
    const title = KINDS[kind]?.[1] ?? "not read";
    return title.charAt(0).toUpperCase() + title.slice(1);
  },
  statuses: {
    created: "new",
    existing: "here already",
    skipped: "skipped",
    refused: "refused",
    damaged: "damaged",
  },
  first: "First items",
  firstImported: "First imported items",
  folders: "Where memories go",
  foldersImported: "Where memories went",
  provenance:
    "Each memory keeps its origin: the import, its session and, where known, the message. You find it on the memory's page under Sources.",
  learning: "Chats and sessions are read for memories afterwards, as if they had happened here.",
  problems: (many: number) => `Omitted (${count(many)})`,
  someProblems: (shown: number, many: number) => `The first ${count(shown)} of ${count(many)} are listed.`,
  allProblems: (many: number) => `Show ${count(many)}`,
  line: (line: number) => `line ${count(line)}`,
  reason: (reason: string, detail: string) => detail || (REASONS[reason] ?? reason.replaceAll("_", " ")),

  ready: (many: number) => `${plural(many, "item")} to import.`,
  nothingNew: "Nothing new to import",
  other: "Choose other files",
  done: (many: number) => (many === 0 ? "Everything was here already" : `${plural(many, "item")} imported`),
  again: "Import something else",
  sessions: "Open sessions",
  chats: "Open chats",
  memories: "Open the memory tree",
  inbox: "Open the inbox",

  failed: "The import stopped",
  previewFailed: "There is no preview",
  kept: "What was imported before stays. Trying again imports only the rest.",
  retry: "Try again",
};
