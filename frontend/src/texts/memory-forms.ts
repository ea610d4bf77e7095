/** Forms that create, edit, move, merge, share, delete or import memories. */

import { count, plural } from "./plural";

const STATES = { created: "new", updated: "changed", unchanged: "unchanged", refused: "refused" };

type ItemState = keyof typeof STATES;

const ITEM_STATES = Object.keys(STATES) as ItemState[];

function outcome(results: Record<ItemState, number>): string {
  const counted = ITEM_STATES.filter((state) => results[state] > 0);
  return counted.map((state) => `${count(results[state])} ${STATES[state]}`).join(", ");
}

export const memoryForms = {
  edit: {
    title: "Edit memory",
    content: "Text",
    contentIs: "Markdown. Abstract and overview are derived from it.",
    tiers: "Write abstract and overview yourself",
    abstract: "Abstract",
    abstractIs: "One line, about 100 tokens.",
    overview: "Overview",
    tags: "Tags",
    tagsAre: "Comma-separated.",
    occurred: "Date",
    occurredIs: "Relevance decays from this date.",
    reason: "Reason",
    reasonIs: "Shown in the history. Optional.",
    save: "Save",
    saveOver: "Overwrite",
    saved: "Saved as a new revision",
    stale: "Someone else edited this. Your text is safe. Current version:",
    staleGone: "This memory was deleted. Your text is still here; copy it, or create a new memory.",
    theirs: "Current version",
    difference: "Differences",
  },

  move: {
    title: "Move memory",
    folder: "Folder",
    up: "Up one level",
    address: "New address",
    addressIs:
      "Choose a folder, or type the address. Missing folders are created. A move stays within its top-level folder.",
    noFolders: "No folders.",
    deed: "Move",
    moved: "Moved",
    stale: "This memory was changed elsewhere. Review it, then move it.",
  },

  merge: {
    title: "Merge into this memory",
    detail: "The others are archived and link here. You can undo this.",
    search: "Search memories",
    searchDeed: "Search",
    found: "Candidates",
    near: "In the same folder",
    none: "No candidates.",
    text: "Text after the merge",
    textIs: "All lines of this memory, plus what the others add. Edit as you like.",
    deed: (many: number) => (many === 0 ? "Merge" : `Merge ${plural(many, "memory", "memories")}`),
    merged: "Merged. You can undo it from Revisions.",
    rebuild: "Rebuild",
  },

  share: {
    title: (workspace: string) => `Share with ${workspace}?`,
    detail: "Everyone in the workspace can read it, and agents can use it. Everything inside is shared too.",
    deed: "Share with the team",
    shared: "Shared with the workspace",
  },

  erase: {
    title: "Delete permanently?",
    counting: "Counting what will be deleted.",
    takes: (many: number) =>
      `${many === 1 ? "Deletes this memory and its history" : `Deletes ${count(many)} memories and folders with their history`}. This can't be undone, not even by import.`,
    examples: "Including",
    word: (name: string) => `Type “${name}” to confirm`,
    deed: "Delete permanently",
    erased: "Deleted permanently",
  },

  import: {
    title: "Import memories",
    into: (uri: string) => `Into ${uri}.`,
    file: "File",
    fileIs: "A memory export in Markdown or JSON.",
    paste: "Or paste text",
    withoutFile: "Remove file",
    notText: "This file isn't UTF-8 text.",
    unreadable: {
      empty: "",
      bad_json: "Invalid JSON.",
      no_list: "No list of memories found.",
      no_address: "No memories found: each begins with a heading such as # mem://user/events/first-launch.",
    },
    preview: "Contents",
    formats: { markdown: "Markdown", json: "JSON" },
    holds: (format: string, many: number) => `${format}, ${plural(many, "memory", "memories")}.`,
    stays: "Addresses are kept.",
    goes: (uri: string) => `Imported under ${uri}; their common prefix is removed.`,
    more: (many: number) => `and ${count(many)} more`,
    look: "Preview",
    would: (results: Record<ItemState, number>) => `Nothing is imported yet. Result: ${outcome(results)}.`,
    nothing: "Nothing to import",
    outcome,
    imported: (results: Record<ItemState, number>) => `Imported: ${outcome(results)}`,
    states: STATES,
    done: "Result",
    refused: "Refused",
    every: (many: number) => `All entries (${count(many)})`,
    entry: (place: number) => `Entry ${count(place)}`,
    back: "Edit and import again",
    toFolder: "Open folder",
  },

  new: {
    title: "New memory",
    kind: "Category",
    byAddress: "By address",
    entity: "Person, project or thing",
    name: "Name",
    nameIs: "A few words; they form the address.",
    address: "Address",
    addressIs: "For example mem://user/events/2026-02-25-first-deploy. Missing folders are created.",
    occurredIs: "Leave empty for today.",
    readOnly: "Read only. Your role can't add memories.",
    becomes: (uri: string) => `Address: ${uri}`,
    numbered: "the name is taken, so a number is added",
    audience: "Visible to",
    mine: "Only you",
    team: "Everyone in the workspace",
    deed: "Save",
    created: "Saved",
    taken: "This address is already taken.",
  },
};
