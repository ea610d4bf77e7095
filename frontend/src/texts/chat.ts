/** What the chat says: thread, composer, header. */

import { messageNumber } from "./message-number";
import { count, plural } from "./plural";

const ENDINGS: Record<string, string> = {
  stopped: "Stopped.",
  interrupted: "The server restarted during this reply.",
  turn_lost: "The server lost this reply.",
  not_stored: "The end of this reply wasn't saved.",
  max_tokens: "Cut off at the model's limit. Ask it to continue.",
  timeout: "The model didn't respond in time.",
  unavailable: "The provider can't be reached.",
  overloaded: "The provider is overloaded.",
  rate_limited: "The provider's rate limit was reached. Try again in a moment.",
  cut: "The reply was cut off.",
  in_band: "The provider reported an error during the reply.",
  malformed: "The model's response couldn't be read.",
  refused: "The model declined to answer.",
  unauthorized: "The provider rejected the API key. Check it in Settings.",
  rejected: "The provider rejected this request. It may be too long.",
  not_configured: "No model is set up.",
  ceiling: "You've reached today's spending limit. It resets at midnight UTC. An admin can raise the limit.",
  no_price: "There's a spending limit, but this model's price is unknown. Use a token limit instead.",
  recall_only: "Models are off in this workspace.",
  busy: "The local model is busy. Try again in a moment.",
  resting: "The provider failed several times, so it's paused for a few minutes.",
};

/** Endings in the middle of a reply, whose beginning is stored. */
const IN_THE_MIDDLE = new Set(["stopped", "interrupted", "turn_lost", "not_stored"]);

/** The state of today's budget in a word or two; the server has the sentence. */
const SPENDING = {
  background_stopped: "Replies only.",
  stopped: "Limit reached.",
  no_price: "Price unknown.",
  recall_only: "Models are off.",
};

function messages(from: number, through: number): string {
  const first = messageNumber(from);
  return from === through ? `message ${first}` : `messages ${first}–${messageNumber(through)}`;
}

export const chat = {
  switchedWorkspace: (name: string) => `Switched to ${name}`,
  thread: "Messages",
  people: { assistant: "Assistant", tool: "Tool", system: "System", user: "User" },
  number: (index: number) => `#${messageNumber(index)}`,
  messageName: (index: number, author: string) => `Message ${messageNumber(index)}, ${author}`,
  states: {
    compacted: "compacted",
    excluded: "excluded",
    deleted: "deleted",
    pinned: "pinned",
    streaming: "writing",
  },
  tokens: (value: number) => plural(value, "token"),
  tokensFrom: (value: number, source: "reported" | "counted" | "estimated") =>
    `${source === "estimated" ? "≈ " : ""}${plural(value, "token")}, ${source}`,
  loadingMessage: (index: number) => `Loading message ${messageNumber(index)}`,
  notLoaded: "Couldn't load these messages.",
  runsNotLoaded: "Couldn't load the compaction history.",
  newMessages: "New messages",
  toNewest: "Go to the newest message",
  emptyTitle: "No messages yet",
  emptyDetail: "Write the first message below.",
  announceReply: (index: number) => `Reply received, message ${messageNumber(index)}.`,
  announceWriting: "Writing a reply.",

  tools: "Message actions",
  pin: "Pin",
  unpin: "Unpin",
  exclude: "Exclude",
  include: "Include again",
  copy: "Copy",
  copied: "Copied",
  notCopied: "Couldn't copy. Your browser blocked it.",
  delete: "Delete…",
  deleteTitle: "Delete this message?",
  deleteDetail:
    "Its text, its pins and every summary line that cites it are deleted permanently. Copies in forks stay. This can't be undone.",
  deleteNow: "Delete permanently",
  edit: "Edit",
  regenerate: "Regenerate",
  fork: "Fork from here",
  branchOf: (position: number, total: number) => `Branch ${position} of ${total}`,
  previousBranch: "Previous branch",
  nextBranch: "Next branch",
  pinned: (index: number, tokens: number) =>
    `Pinned message ${messageNumber(index)} (≈ ${plural(tokens, "token")})`,
  unpinned: (index: number) => `Unpinned message ${messageNumber(index)}`,
  excluded: (index: number, frees: number) =>
    `Excluded message ${messageNumber(index)}${frees > 0 ? `, ≈ ${plural(frees, "token")} freed` : ""}`,
  excludeTitle: (many: number) => `${plural(many, "summary line")} will be removed with this message`,
  excludeDetail: "Nothing else in the chat supports this. Include the message again to undo.",
  excludeConfirm: "Exclude message",
  included: (index: number) => `Included message ${messageNumber(index)} again`,
  pinAgain: "Pin again",

  editLabel: "Edit your message",
  editHint: "Sends in a new copy of the chat. This one stays unchanged.",
  sendEdit: "Send in a copy",
  forked: "This is a copy. The original is unchanged.",
  goBack: "Go back",

  reasoning: (tokens: number) => (tokens > 0 ? `Reasoning, ${plural(tokens, "token")}` : "Reasoning"),
  toolCall: (name: string) => `Called ${name}`,
  toolResult: (name: string) => (name === "" ? "Tool result" : `Result of ${name}`),
  imagePart: (name: string) => (name === "" ? "Image" : `Image ${name}`),
  filePart: (name: string) => (name === "" ? "File" : `File ${name}`),
  sentAlong: "Its content was sent along with the message.",
  hiddenReasoning: "The provider doesn't share its reasoning.",
  showRest: (characters: number) => `Show ${count(characters)} more characters`,
  showLess: "Show less",
  deleted: "This message was permanently deleted.",

  ending: (code: string) => {
    const ending = ENDINGS[code] ?? "This reply is incomplete.";
    return code in ENDINGS && !IN_THE_MIDDLE.has(code) ? ending : `${ending} The text so far is saved.`;
  },
  emptyEnding: (code: string) => ENDINGS[code] ?? "There was no reply.",
  savedAs: (index: number) => `Your message is saved as #${messageNumber(index)}.`,
  retry: "Try again",
  writeAgain: "Retry reply",
  broken: "The connection was lost during this reply.",
  brokenDetail:
    "The text so far is saved. If the server finished the reply, it loads when you're back online.",

  composer: "Message",
  placeholder: "Reply",
  placeholderNew: "Write a message",
  send: "Send",
  stop: "Stop",
  stopKey: "Stop (Esc)",
  readOnlyTitle: "Read only.",
  readOnlyDetail: "Your role can't post here.",
  sharedDetail: "You have read access. Fork the chat to write.",
  archivedTitle: "This chat is archived.",
  archivedDetail: "Unarchive it to reply.",
  archivedByOwner: "Its owner can unarchive it.",
  unarchive: "Unarchive",
  whyNot: {
    empty: "Write something first",
  },
  tooLong: (most: number) => `Messages are limited to ${count(most)} characters.`,

  waiting: {
    connection: "waiting for connection",
    busy: "the server is busy",
    session: "waiting for you to sign in",
    turn: "waiting for the current reply",
    sending: "sending",
    refused: "not sent",
  },
  nextTry: (seconds: number) => `retrying in ${seconds} s`,
  waitingMessage: "Queued message",
  discard: "Discard",
  discarded: "Message discarded",
  takeBack: "Edit",
  offlineTitle: "No connection.",
  offlineDetail: "You can keep reading and writing. Messages send when you're back online.",
  tryNow: "Try now",
  unreachableDetail: "Your text is saved on this device. The chat loads when the server can be reached.",
  spending: SPENDING,
  toLimits: "View limits",
  backOnline: (sent: number, fetched: number) => {
    const parts = [
      ...(sent > 0 ? [`${plural(sent, "message")} sent`] : []),
      ...(fetched > 0 ? [`${plural(fetched, "reply", "replies")} fetched`] : []),
    ];
    return `Back online. ${parts.join(", ")}.`;
  },

  compacted: (from: number, through: number) => `Compacted ${messages(from, through)}`,
  reread: "Summary refreshed",
  into: (version: number) => `into v${version}`,
  beforeAfter: (before: number, after: number) => `≈ ${count(before)} → ${count(after)} tokens`,
  changes: "Changes",
  showRuns: (many: number) => `Show ${plural(many, "compaction")}`,
  hideRuns: "Hide",
  undoCompaction: "Undo",
  undoCompactionName: (version: number) => `Undo the compaction that created v${version}`,
  border: (through: number) =>
    `${through === 0 ? "Message 1 is" : `Messages 1–${messageNumber(through)} are`} compacted`,
  borderDetail: (version: number) =>
    `The model reads summary v${version}, and as many of these messages as fit its budget. You still see every word.`,
  compacting: "Compacting",
  stopCompaction: "Stop the compaction",
  compactingMany: (from: number, through: number) => `Compacting ${messages(from, through)}`,
  compactingStage: {
    "": "waiting for a pause",
    "reading": "reading the messages",
    "writing": "writing the summary",
    "checking": "checking the summary",
    "storing": "saving",
  } as Record<string, string>,
  percentDone: (progress: number) => `${progress}%`,

  header: {
    untitled: "Untitled chat",
    newChat: "New chat",
    openList: "Open the list of chats",
    menu: "Chat actions",
    rename: "Rename",
    renameHint: "Click to rename",
    titleLabel: "Title",
    archive: "Archive",
    archived: "Archived",
    archivedToast: "Chat archived",
    unarchivedToast: "Chat unarchived",
    fork: "Fork the whole chat",
    copyLink: "Copy link",
    linkCopied: "Link copied",
    exportText: "Export as Markdown",
    remember: "Remember now",
    forget: "Stop learning from this chat",
    learn: "Learn from this chat again",
    renamed: "Chat renamed",
    renamedElsewhere: (title: string) => `Someone renamed it to “${title}”. Press Enter to use yours.`,
  },

  code: {
    copy: "Copy",
    copied: "Copied",
    copyName: (language: string) => `Copy ${language === "" ? "code" : `${language} code`}`,
    name: (language: string) => (language === "" ? "Code" : `Code in ${language}`),
    plain: "code",
  },
  done: "Done",
  open: "Not done",
  image: (alt: string) => `Image: ${alt === "" ? "unnamed" : alt}`,
};
