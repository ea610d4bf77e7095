/** The drawer's lists: the summary's lines, what is always sent, and what never is. */

import { count, plural, withArticle } from "./plural";

const SHORT = 60;

/** Enough of a text to know it by. */
function short(text: string): string {
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}

export const kept = {
  labels: { edit: "Edit", pin: "Pin", remove: "Remove", delete: "Delete", include: "Include again" },

  summary: {
    title: "Summary",
    history: "History",
    version: (version: number) => `v${version}`,
    inUse: (version: number) => `v${version}, in use`,
    byPerson: "by hand",
    byEngine: "without a model",
    covers: (index: number) => `covers through #${index}`,
    emptyTitle: "No summary yet",
    byHand: "Write it by hand",
    empty: (threshold: number, live: number) =>
      `The first compaction comes at ${count(threshold)} live tokens. This chat has ${count(live)}.`,
    emptyRunning: (live: number) =>
      `The first compaction is in progress. This chat has ${count(live)} live tokens.`,
    emptyDue: (live: number) =>
      `This chat has ${count(live)} live tokens. It is compacted at the next pause.`,
    emptyNotDue: (live: number, reason: string) =>
      `This chat has ${count(live)} live tokens. No compaction now: ${reason}.`,
    emptyByHand: (live: number) =>
      `Nothing is compacted by itself here. This chat has ${count(live)} live tokens.`,
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
      current_plan: "step of the plan",
      open_questions: "open question",
      definitions: "definition",
      references: "reference",
    },
    none: "Nothing here.",
    because: (reason: string) => `because ${reason}`,
    corrected: "Corrected by hand, never overwritten",
    legend: {
      user: "said by a person",
      assistant: "by the assistant",
      tool: "from a tool",
      corrected: "corrected",
    },
    add: "Add",
    addTo: (field: string) => `Add ${withArticle(field)}`,
    edit: (text: string) => `Edit: ${short(text)}`,
    remove: (text: string) => `Remove: ${short(text)}`,
    pin: (text: string) => `Pin: ${short(text)}`,
    actions: (text: string) => `What can be done about: ${short(text)}`,
    form: {
      text: "Text",
      reason: "Reason, if there is one",
      term: "Term",
      type: "Kind",
      value: "Value",
      note: "Note",
      save: "Save line",
      types: { file: "File", url: "Address", id: "Identifier", code: "Code", other: "Other" },
    },
    saved: "Line corrected",
    added: "Line added",
    removed: "Line removed",
    undone: "The line is as it was",
    stale: "The summary changed a moment ago. Your text is kept. Look at both, then save again.",
    gone: "The line is not there any more. Saving adds your text as a new one.",
    goneAlready: "The line is not there any more.",
    nowReads: (text: string) => `Now it reads: ${text}`,
    full: (limit: number) => `This field holds ${count(limit)} lines at most. Remove one first.`,
    exists: "The field has this line already.",
  },

  always: "Always sent",
  never: "Never sent",

  pins: {
    title: "Pins",
    add: "Add pin",
    empty: "Nothing pinned. Pinned text is sent word for word, before everything else.",
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
    pinned: (tokens: number) => `Pinned, ${plural(tokens, "token")} counted`,
    removed: "Pin removed",
    changed: "Pin changed",
    stale: "This pin was changed elsewhere. Your text is kept. Look at both before you save.",
    staleNow: (text: string) => `It reads now: ${text}`,
    gone: "This pin is not there any more. Your text is kept; saving pins it anew.",
  },

  memory: {
    title: "User memory",
    active: (many: number) => `${count(many)} active`,
    add: "Add",
    addName: "Add to user memory",
    empty: "Nothing yet. What you write here goes with every chat of yours.",
    types: { preference: "preference", fact: "fact", constraint: "constraint", definition: "definition" },
    type: "Type",
    key: "Name",
    keyHint: "What it is called; one text for each type and name",
    text: "Text",
    save: "Save memory",
    edit: (key: string) => `Edit “${key}”`,
    remove: (key: string) => `Delete “${key}”`,
    isActive: (key: string) => `“${key}” is sent`,
    off: "not sent",
    deleted: "Memory deleted",
    created: "Memory saved",
    changed: "Memory changed",
    stale: "This memory was changed elsewhere. Your text is kept. Look at both before you save.",
    gone: "This memory is not there any more. Your text is kept; saving writes it down anew.",
    exists: "There is a memory of this type and name already.",
  },

  exclusions: {
    title: "Exclusions",
    empty: "Nothing excluded. Excluded messages stay in the chat and are never sent or compacted.",
    include: (index: number) => `Include message ${index} again`,
    included: (index: number) => `Message ${index} is included again`,
    excluded: (index: number, freed: number) =>
      `Message ${index} excluded, frees ${plural(freed, "live token")}, counted`,
    exclude: "Exclude",
    excludeName: (index: number) => `Exclude message ${index}`,
    reading: "Working out what it frees",
    frees: "Frees",
    takes: "Takes",
    unit: "live tokens.",
    lines: (many: number) =>
      `${count(many)} summary ${many === 1 ? "line goes" : "lines go"}, said in this message alone`,
    linesBack: (many: number) =>
      `${count(many)} summary ${many === 1 ? "line comes" : "lines come"} back, said in this message alone`,
    wasFolded: "It is compacted already: only the summary tells of it.",
    isFoldedAgain: "It is compacted again: the summary tells of it.",
    pinsStay: (many: number) =>
      `${count(many)} ${many === 1 ? "pin" : "pins"} made from it ${many === 1 ? "stays" : "stay"}`,
    confirmExclude: "Exclude message",
    confirmInclude: "Include message",
    cancel: "Cancel",
    pinName: (index: number) => `Pin message ${index}`,
    showName: (index: number) => `Show message ${index}`,
  },

  layerItems: {
    system: "System prompt",
    noSystem: "This chat has no system prompt.",
    excerpt: "in part",
    pin: "Pin",
    show: "Show",
  },
};
