/** The inbox of the memory page: what waits for a decision, and what was decided. */

import { count, plural } from "./plural";
import { messageNumber } from "./message-number";

const REASONS: Record<string, string> = {
  same_attribute: "It gives another value for something you have in memory.",
  slot: "It gives another value for something you have in memory.",
  given_up: "It says that something you have in memory is no more.",
  changed: "It says that something you have in memory has changed.",
  advised: "A model says that it may replace something you have in memory.",
  untrusted: "It comes from a tool, an assistant, a file or another person.",
  review: "In this workspace it waits for a person.",
  quarantined: "Its source was taken out of use.",
};

const VERDICTS: Record<string, string> = {
  approve: "approved",
  edit: "edited",
  merge: "merged",
  replace: "replaced",
  keep_both: "kept both",
  decline: "declined",
  quarantine: "quarantined",
};

const SPEAKERS: Record<string, string> = {
  self: "you",
  member: "another person",
  assistant: "the assistant",
  tool: "a tool",
  system: "the system",
};

const STEPS: Record<string, string> = {
  message: "from a message",
  hook: "from an agent",
  import: "imported",
  node: "from another memory",
  person: "written by a person",
};

const TRUSTS: Record<string, string> = {
  direct_user: "like your own words",
  model_inference: "inferred",
  tool: "not trusted yet",
  imported: "not trusted yet",
};

export const inbox = {
  title: "Inbox",
  waiting: "Waiting",
  decided: "Decided",
  view: "Show",
  list: "What waits",
  decidedList: "What was decided",
  detail: "The chosen item",
  back: "Back to the inbox",
  position: (place: number, total: number, more: boolean) =>
    `${count(place)} of ${count(total)}${more ? "+" : ""}`,
  emptyTitle: "Inbox is empty",
  empty:
    "Nothing waits for you. What tools and other people say comes here first, and what contradicts a memory.",
  emptyFiltered: "Nothing here matches these filters.",
  showDecided: "See what was decided",
  clearFilters: "Clear filters",
  note: "What you say goes in at once. What comes from a tool or another person, or contradicts a memory, waits here and is in no reply.",
  more: "Show more",
  select: (text: string) => `Select: ${text}`,
  selected: (many: number) => `${count(many)} selected`,
  clear: "Clear",
  filters: "Filters",
  order: "Order",
  orders: { newest: "Newest first", oldest: "Oldest first" },
  category: "Category",
  source: "Source",
  any: "Any",
  sources: {
    message: "Messages",
    import: "Imports",
    hook: "Agents",
    node: "Other memories",
    person: "People",
  } as Record<string, string>,

  conflicts: (many: number) => `conflicts with ${plural(many, "memory", "memories")}`,
  contradiction: "possible contradiction",
  confidence: (value: string) => `confidence ${value}`,
  foundBy: (extractor: string, rule: string) => (rule === "" ? extractor : `${extractor}, ${rule}`),
  reasons: REASONS,
  evidence: "Evidence",
  noEvidence: "The words it comes from are not here, or you can't read their chat.",
  verified: "quote verified",
  beginning: "beginning of the message",
  saidBy: (who: string, chat: string) => (chat === "" ? who : `${who}, ${chat}`),
  speakers: SPEAKERS,
  replacesTitle: "It contradicts a memory you have",
  pairTitle: "These two may contradict each other",
  before: (version: number, day: string) => `Now in memory, r${count(version)}, ${day}`,
  earlier: (day: string) => `Earlier, ${day}`,
  after: "Proposed",
  later: (day: string) => `Later, ${day}`,
  message: (index: number) => `#${messageNumber(index)}`,
  near: "Similar memories",
  nearIs: (percent: number) => `${count(percent)}% alike`,
  trust: "Trust",
  trustNote:
    "A memory is trusted as much as its least trusted source. Rewriting never raises it; your approval does.",
  extracted: (by: string) => `extracted, ${by}`,
  steps: STEPS,
  trusts: TRUSTS,

  actions: {
    approve: "Approve",
    both: "Keep both",
    replace: "Replace old",
    edit: "Edit",
    merge: "Merge",
    decline: "Decline",
    later: "Later",
    source: "Source",
    undo: "Undo",
  },
  replaceNote: "The old memory becomes history: it shows what held until now.",
  approveNote: "Replies use it from then on.",
  takesBack: "takes it back.",
  keys: {
    title: "In the inbox",
    move: "Next or previous item",
    moveShort: "next, previous",
    approve: "Approve, or keep both",
    replace: "Replace the old memory",
    edit: "Edit and approve",
    merge: "Merge into a similar memory",
    decline: "Decline",
    later: "Decide later",
    select: "Select",
    selectShort: "select",
    source: "Open the source",
    sourceShort: "open the source",
    undo: "Undo the last decision",
    undoShort: "undo",
    help: "All keys",
    helpShort: "all keys",
  },
  last: (verdict: string, text: string) => `Last: ${verdict} “${text}”`,
  verdicts: VERDICTS,
  done: {
    approve: (many: number) =>
      many === 1 ? "Approved: replies use it from now on" : `${count(many)} approved`,
    keep_both: (many: number) => (many === 1 ? "Both stay in use" : `${count(many)} kept`),
    replace: (many: number) =>
      many === 1 ? "Replaced. The old memory is history" : `${count(many)} replaced`,
    decline: (many: number) => (many === 1 ? "Declined" : `${count(many)} declined`),
  },
  edited: "Approved with your changes",
  merged: "Merged",
  skipped: (done: string, many: number) => `${done}; ${plural(many, "item")} couldn't be decided`,
  undone: "Undone. It waits again",
  gone: "This was decided already, maybe in another tab.",

  edit: {
    title: "Edit and approve",
    content: "Text",
    tags: "Tags",
    tagsAre: "Separated by commas.",
    category: "Category",
    approve: "Approve",
    both: "Save and keep both",
    replace: "Save and replace old",
    long: "This text is too long to edit here. Approve it, then edit it on its page.",
  },
  merge: {
    title: "Merge into",
    into: "Into which memory",
    text: "Text after the merge",
    deed: "Merge",
    none: "There is no similar memory to merge it into.",
    open: "Open",
  },

  from: {
    title: "Everything from this source",
    kinds: {
      message: (name: string) => `Message ${name}`,
      conversation: (name: string) => `The chat “${name}”`,
      tool: (name: string) => `The tool ${name}`,
      import: (name: string) => `The import ${name}`,
    } as Record<string, (name: string) => string>,
    choose: "Source",
    decline: "Decline all that wait",
    quarantine: "Take out of use…",
    quarantineTitle: "Take this source out of use?",
    counting: "Counting",
    action: "What happens to its memories",
    actions: { quarantine: "They wait here again", archive: "They are archived" },
    effect: (affected: number, action: string) =>
      action === "archive"
        ? `${plural(affected, "memory is", "memories are")} archived.`
        : `${plural(affected, "memory waits", "memories wait")} for approval again.`,
    detached: (many: number) =>
      many === 0
        ? ""
        : ` ${plural(many, "memory", "memories")} with other sources ${many === 1 ? "stays" : "stay"}.`,
    restored: (many: number) =>
      many === 0
        ? ""
        : ` ${plural(many, "memory", "memories")} replaced by them ${many === 1 ? "is" : "are"} current again.`,
    confirm: "Take out of use",
    nothing: "No memory in use comes from this source.",
    none: "Nothing from this source waits.",
    done: (affected: number, action: string) =>
      action === "archive"
        ? `${plural(affected, "memory", "memories")} archived`
        : `${plural(affected, "memory waits", "memories wait")} again`,
  },

  past: {
    empty: "No decisions yet.",
    andMore: (many: number) => `and ${plural(many, "other")}`,
    by: (who: string, when: string) => (who === "" ? when : `${who}, ${when}`),
    undone: "undone",
    undo: (text: string) => `Undo: ${text}`,
  },
};
