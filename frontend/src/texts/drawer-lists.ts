/** The drawer's lists: the summary's lines, what is always sent, and what never is. */

import { messageNumber } from "./message-number";
import { count, plural, withArticle } from "./plural";

const SHORT = 60;

/** Enough of a text to know it by. */
function short(text: string): string {
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}

export const drawerLists = {
  labels: { edit: "Edit", pin: "Pin", remove: "Remove", delete: "Delete", include: "Include again" },

  summary: {
    title: "Summary",
    history: "History",
    version: (version: number) => `v${version}`,
    inUse: (version: number) => `v${version}, in use`,
    byPerson: "edited",
    byEngine: "no model",
    covers: (index: number) => `up to message ${messageNumber(index)}`,
    emptyTitle: "No summary yet",
    byHand: "Write it yourself",
    empty: (threshold: number, live: number) =>
      `The first compaction starts at ${count(threshold)} live tokens. This chat has ≈ ${count(live)}.`,
    emptyRunning: (live: number) =>
      `The first compaction is in progress. This chat has ≈ ${count(live)} live tokens.`,
    emptyDue: (live: number) => `This chat has ≈ ${count(live)} live tokens. It compacts at the next pause.`,
    emptyNotDue: (live: number, reason: string) =>
      `This chat has ≈ ${count(live)} live tokens. Not needed yet: ${reason}.`,
    emptyByHand: (live: number) => `Automatic compaction is off. This chat has ≈ ${count(live)} live tokens.`,
    fields: {
      goals: "Goals",
      decisions: "Decisions",
      requirements: "Requirements",
      current_plan: "Current plan",
      open_questions: "Open questions",
      definitions: "Definitions",
      references: "References",
    },
    one: {
      goals: "goal",
      decisions: "decision",
      requirements: "requirement",
      current_plan: "plan step",
      open_questions: "open question",
      definitions: "definition",
      references: "reference",
    },
    none: "Nothing here.",
    dropped: (shown: number, dropped: number) =>
      `${plural(shown, "line")} shown. ${plural(dropped, "older line")} dropped because the section was full.`,
    because: (reason: string) => `because ${reason}`,
    corrected: "Edited by hand, never overwritten",
    reported: "· reported, not confirmed",
    legend: {
      user: "from a user",
      assistant: "from the assistant",
      tool: "from a tool",
      corrected: "edited",
    },
    add: "Add",
    addTo: (field: string) => `Add ${withArticle(field)}`,
    edit: (text: string) => `Edit: ${short(text)}`,
    remove: (text: string) => `Remove: ${short(text)}`,
    pin: (text: string) => `Pin: ${short(text)}`,
    actions: (text: string) => `Actions for ${short(text)}`,
    form: {
      text: "Text",
      reason: "Reason (optional)",
      term: "Term",
      type: "Type",
      value: "Value",
      note: "Note",
      save: "Save line",
      types: { file: "File", url: "URL", id: "ID", code: "Code", other: "Other" },
    },
    saved: "Line saved",
    added: "Line added",
    removed: "Line removed",
    undone: "Change undone",
    stale: "The summary just changed. Your text is safe. Compare both, then save again.",
    gone: "That line no longer exists. Saving adds your text as a new line.",
    goneAlready: "That line no longer exists.",
    nowReads: (text: string) => `Current text: ${text}`,
    full: (limit: number) => `This section holds up to ${plural(limit, "line")}. Remove one first.`,
    exists: "This line already exists.",
  },

  always: "Always sent",
  never: "Never sent",

  pins: {
    title: "Pins",
    add: "Add pin",
    empty: "Nothing pinned. Pinned text is always sent word for word.",
    meta: (category: string, tokens: string) => `${category}, ${tokens}`,
    categories: {
      decision: "decision",
      requirement: "requirement",
      reference: "reference",
      other: "other",
    },
    text: "Text",
    category: "Category",
    create: "Pin this text",
    save: "Save pin",
    edit: (text: string) => `Edit pin: ${short(text)}`,
    unpin: (text: string) => `Remove pin: ${short(text)}`,
    unpinShort: "Remove pin",
    pinned: (tokens: number) => `Pinned (≈ ${plural(tokens, "token")})`,
    removed: "Pin removed",
    changed: "Pin updated",
    stale: "This pin was changed elsewhere. Your text is safe. Compare both before you save.",
    staleNow: (text: string) => `Current text: ${text}`,
    gone: "This pin no longer exists. Your text is safe; saving creates a new pin.",
  },

  memory: {
    title: "User memory",
    active: (many: number) => `${count(many)} active`,
    add: "Add",
    addName: "Add to user memory",
    empty: "Nothing yet. What you write here is sent with every chat.",
    types: { preference: "preference", fact: "fact", constraint: "constraint", definition: "definition" },
    type: "Type",
    key: "Name",
    keyHint: "A short name, unique within its type",
    text: "Text",
    save: "Save memory",
    edit: (key: string) => `Edit “${key}”`,
    remove: (key: string) => `Delete “${key}”`,
    isActive: (key: string) => `Send “${key}”`,
    off: "off",
    deleted: "Memory deleted",
    created: "Memory saved",
    changed: "Memory updated",
    stale: "This memory was changed elsewhere. Your text is safe. Compare both before you save.",
    gone: "This memory no longer exists. Your text is safe; saving creates a new one.",
    exists: "A memory of this type and name already exists.",
  },

  exclusions: {
    title: "Exclusions",
    empty: "Nothing excluded. Excluded messages stay in the chat and are never sent or compacted.",
    include: (index: number) => `Stop excluding message ${messageNumber(index)}`,
    included: (index: number) => `Included message ${messageNumber(index)} again`,
    excluded: (index: number, freed: number) =>
      `Excluded message ${messageNumber(index)}, ≈ ${plural(freed, "live token")} freed`,
    exclude: "Exclude",
    excludeName: (index: number) => `Exclude message ${messageNumber(index)}`,
    reading: "Calculating",
    frees: "Frees",
    takes: "Adds",
    unit: "live tokens.",
    lines: (many: number) =>
      `Removes ${plural(many, "summary line")} that come${many === 1 ? "s" : ""} only from this message`,
    linesBack: (many: number) =>
      `Restores ${plural(many, "summary line")} that come${many === 1 ? "s" : ""} only from this message`,
    wasFolded: "Already compacted: only the summary mentions it.",
    isFoldedAgain: "It becomes part of the summary again.",
    pinsStay: (many: number) => `Keeps ${plural(many, "pin")} made from it`,
    confirmExclude: "Exclude message",
    confirmInclude: "Include message",
    cancel: "Cancel",
    pinName: (index: number) => `Pin message ${messageNumber(index)}`,
    showName: (index: number) => `Show message ${messageNumber(index)}`,
  },

  layerItems: {
    system: "System prompt",
    noSystem: "No system prompt.",
    excerpt: "shortened",
    pin: "Pin",
    show: "Show",
  },
};
