/** What the chat says: thread, composer, header. */

import { count, plural } from "./plural";

const ENDINGS: Record<string, string> = {
  stopped: "Stopped.",
  interrupted: "The server restarted in the middle of this reply.",
  turn_lost: "The server lost this reply.",
  not_stored: "The end of this reply could not be stored.",
  max_tokens: "Cut at the model's limit. Ask it to go on to read the rest.",
  timeout: "The model did not answer in time.",
  unavailable: "The model's provider cannot be reached.",
  overloaded: "The model's provider is overloaded.",
  rate_limited: "The model's provider limits how often it may be asked.",
  cut: "The model's answer broke off before its end.",
  in_band: "The model's provider broke off the answer with an error.",
  malformed: "The model's answer could not be read.",
  refused: "The model declined to answer.",
  unauthorized: "The model's provider does not accept the key. Look at the key in the server's settings.",
  rejected: "The model's provider does not accept this request. It may be too long.",
  not_configured: "No model is set up.",
  ceiling: "Today’s limit for models is reached. It goes on after midnight UTC, or when the limit is raised.",
  no_price: "What models may cost is limited here, and no price of this one is known. Limit tokens instead.",
  recall_only: "This workspace sends nothing to a model.",
  busy: "The program that answers here has other replies to write. Try again in a moment.",
  resting:
    "The model’s provider failed several times in a row and is left alone for a few minutes. Then try again.",
};

/** Endings in the middle of a reply, whose beginning is stored. */
const IN_THE_MIDDLE = new Set(["stopped", "interrupted", "turn_lost", "not_stored"]);

/** What may be spent today, where that is felt: a word; the sentence is the server’s. */
const SPENDING = {
  background_stopped: "Replies only.",
  stopped: "Limit reached.",
  no_price: "No price known.",
  recall_only: "Recall only.",
};

export const chat = {
  switchedWorkspace: (name: string) => `Switched to the workspace ${name}`,
  thread: "Messages",
  people: { assistant: "Assistant", tool: "Tool", system: "System", user: "Person" },
  number: (index: number) => `#${index}`,
  messageName: (index: number, author: string) => `Message ${index}, ${author}`,
  states: {
    compacted: "compacted",
    excluded: "excluded",
    pinned: "pinned",
    streaming: "writing",
  },
  tokens: (value: number) => plural(value, "token"),
  tokensFrom: (value: number, source: "reported" | "counted" | "estimated") =>
    `${source === "estimated" ? "≈ " : ""}${plural(value, "token")}, ${source}`,
  loadingMessage: (index: number) => `Message ${index} is being loaded`,
  notLoaded: "These messages could not be loaded.",
  runsNotLoaded: "Where this chat was compacted could not be loaded.",
  newMessages: "New messages",
  toNewest: "To the newest message",
  emptyTitle: "Nothing said yet",
  emptyDetail: "Write the first message below.",
  announceReply: (index: number) => `Reply ${index} is written.`,
  announceWriting: "The reply is being written.",

  tools: "Message actions",
  pin: "Pin",
  unpin: "Unpin",
  exclude: "Exclude",
  include: "Include again",
  copy: "Copy",
  copied: "Copied",
  notCopied: "The browser did not allow copying.",
  edit: "Edit",
  regenerate: "Regenerate",
  fork: "Fork from here",
  pinned: (index: number, tokens: number) => `Message ${index} pinned, ${plural(tokens, "token")}`,
  unpinned: (index: number) => `Message ${index} is not pinned any more`,
  excluded: (index: number, frees: number) =>
    `Message ${index} excluded${frees > 0 ? `, frees ${count(frees)}` : ""}`,
  excludeTitle: (many: number) =>
    `${plural(many, "line")} of the summary ${many === 1 ? "goes" : "go"} with this message`,
  excludeDetail: "Only this message told them. Including it again brings them back.",
  excludeConfirm: "Exclude message",
  included: (index: number) => `Message ${index} is included again`,
  pinAgain: "Pin again",

  editLabel: "Edit your message",
  editHint: "Your text goes into a fork. This chat stays as it is.",
  sendEdit: "Send in a fork",
  forked: "You are in a fork. The first chat stays as it is.",
  goBack: "Go back",

  reasoning: (tokens: number) => (tokens > 0 ? `Reasoning, ${plural(tokens, "token")}` : "Reasoning"),
  toolCall: (name: string) => `Called ${name}`,
  toolResult: (name: string) => (name === "" ? "Result of a tool" : `Result of ${name}`),
  hiddenReasoning: "The provider does not show it.",
  showRest: (characters: number) => `Show the other ${count(characters)} characters`,
  showLess: "Show less",
  erased: "This message was erased.",

  ending: (code: string) => {
    const told = ENDINGS[code] ?? "This reply is not complete.";
    return code in ENDINGS && !IN_THE_MIDDLE.has(code) ? told : `${told} What was written is kept.`;
  },
  emptyEnding: (code: string) => ENDINGS[code] ?? "No reply came.",
  savedAs: (index: number) => `Your message is saved as #${index}.`,
  retry: "Try again",
  writeAgain: "Write it again",
  broken: "The connection broke in the middle of this reply.",
  brokenDetail: "What came is kept. The server may have written the rest; it is fetched when you are back.",

  composer: "Message",
  placeholder: "Reply",
  placeholderNew: "Write a message",
  send: "Send",
  stop: "Stop",
  stopKey: "Stop (Esc)",
  readOnlyTitle: "You can read here.",
  readOnlyDetail: "Your role in this workspace does not write.",
  sharedDetail: "This chat is shared with you for reading. A fork of it is yours to write in.",
  archivedTitle: "This chat is archived.",
  archivedDetail: "Take it out of the archive to write.",
  archivedByOwner: "Its owner can take it out of the archive.",
  unarchive: "Take out of the archive",
  whyNot: {
    empty: "Write something first",
  },
  tooLong: (most: number) => `A message may have ${count(most)} characters. Make it shorter to send it.`,

  waiting: {
    connection: "waits for the connection",
    busy: "the server is busy",
    session: "waits until you sign in",
    turn: "waits for the reply's end",
    sending: "is being sent",
    refused: "was not sent",
  },
  nextTry: (seconds: number) => `next try in ${seconds} s`,
  waitingMessage: "Message that waits",
  discard: "Discard",
  discarded: "The message was discarded",
  takeBack: "Edit",
  offlineTitle: "No connection.",
  offlineDetail: "You can read and write; what you send waits here.",
  tryNow: "Try now",
  unreachableDetail:
    "What you wrote is kept on this device. The chat is shown when the server answers again.",
  spending: SPENDING,
  toLimits: "Look at the limits",
  backOnline: (sent: number, fetched: number) => {
    const parts = [
      ...(sent > 0 ? [`${plural(sent, "message")} sent`] : []),
      ...(fetched > 0 ? [`${plural(fetched, "reply", "replies")} fetched`] : []),
    ];
    return `Back online. ${parts.join(", ")}.`;
  },

  compacted: (many: number) => `Compacted ${plural(many, "message")}`,
  reread: "Read again",
  range: (from: number, through: number) => (from === through ? `#${from}` : `#${from}–#${through}`),
  into: (version: number) => `into v${version}`,
  beforeAfter: (before: number, after: number) => `${count(before)} → ${count(after)} live`,
  changes: "Changes",
  showRuns: (many: number) => `Show ${plural(many, "run")}`,
  hideRuns: "Hide the runs",
  undoCompaction: "Undo",
  undoCompactionName: (version: number) => `Undo the compaction into v${version}`,
  border: (through: number) => `${through === 0 ? "#0 is" : `#0–#${through} are`} compacted`,
  borderDetail: (version: number) => `The model reads summary v${version} instead. You still see every word.`,
  compacting: "Compacting",
  stopCompaction: "Stop the compaction",
  compactingMany: (many: number) => `Compacting ${plural(many, "message")}`,
  compactingStage: {
    "": "waiting for a pause",
    "reading": "reading the messages",
    "writing": "writing the summary",
    "checking": "checking the summary",
    "storing": "saving",
  } as Record<string, string>,
  percentDone: (progress: number) => `${progress} %`,

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
    unarchivedToast: "Chat taken out of the archive",
    fork: "Fork the whole chat",
    copyLink: "Copy link",
    linkCopied: "Link copied",
    exportText: "Export as Markdown",
    renamed: "Chat renamed",
    renamedMeanwhile: (title: string) =>
      `It was renamed to “${title}” meanwhile. Your title stays in the field; Enter uses it.`,
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
  image: (alt: string) => `Image: ${alt === "" ? "without a name" : alt}`,
};
