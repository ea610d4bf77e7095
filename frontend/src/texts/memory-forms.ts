/** What one fills in to change a memory, or to write one down. */

import { count, plural } from "./plural";

const STATES = { created: "new", updated: "changed", unchanged: "unchanged", refused: "refused" };

type ItemState = keyof typeof STATES;

const ITEM_STATES = Object.keys(STATES) as ItemState[];

function outcome(results: Record<ItemState, number>): string {
  const told = ITEM_STATES.filter((state) => results[state] > 0);
  return told.map((state) => `${count(results[state])} ${STATES[state]}`).join(", ");
}

export const memoryForms = {
  edit: {
    title: "Edit the memory",
    content: "Text",
    contentIs: "Markdown. Abstract and overview are made of it.",
    tiers: "Write abstract and overview yourself",
    abstract: "Abstract",
    abstractIs: "One line, about 100 tokens.",
    overview: "Overview",
    tags: "Tags",
    tagsAre: "With commas between them.",
    occurred: "Date of the fact",
    occurredIs: "It fades from this day on.",
    reason: "Reason",
    reasonIs: "Stands beside the revision. May be empty.",
    save: "Save",
    saveOver: "Save mine over it",
    saved: "Saved as a new revision",
    stale: "It was changed meanwhile. Nothing of yours is lost; this is what stands there now:",
    staleGone: "It was erased meanwhile. What you typed is still here; copy it, or write a new memory.",
    theirs: "What stands there now",
    difference: "From theirs to yours",
  },

  move: {
    title: "Move the memory",
    folder: "Folder",
    up: "One up",
    address: "New address",
    addressIs:
      "Choose a folder, or type the whole address. Folders on the way come to be with it. A move stays within its root.",
    noFolders: "No folders in here.",
    deed: "Move",
    moved: "Moved",
    stale: "It was changed meanwhile. Look at it, then move it.",
  },

  merge: {
    title: "Merge others into this one",
    detail: "They go into the archive and name this one as their successor. Undo brings all back.",
    search: "Find others",
    searchDeed: "Find",
    found: "What could go in",
    near: "In the same folder",
    none: "Nothing else was found.",
    text: "Text after the merge",
    textIs: "Every line of this one, and what the others add. Change it as you like.",
    deed: (many: number) => (many === 0 ? "Merge" : `Merge ${plural(many, "memory", "memories")}`),
    merged: "Merged. One revision undoes all of it.",
    anew: "Put it together anew",
  },

  share: {
    title: (workspace: string) => `Share it with ${workspace}?`,
    detail:
      "Everybody in the workspace can read it, and agents can use it. With it goes all that lies below.",
    deed: "Share with the team",
    shared: "Everybody in the workspace sees it now",
  },

  erase: {
    title: "Erase for good?",
    counting: "Counting what would go.",
    takes: (many: number) =>
      `${plural(many, "memory or directory", "memories and directories")} with all revisions. No undo; no import brings it back.`,
    examples: "Among them",
    word: (name: string) => `Type “${name}” to erase it`,
    deed: "Erase for good",
    erased: "Erased",
  },

  import: {
    title: "Import memories",
    into: (uri: string) => `Into ${uri}`,
    file: "File",
    fileIs: "An export of memories: Markdown or JSON.",
    paste: "Or its text, pasted",
    withoutFile: "Without the file",
    notText: "It cannot be read as text in UTF-8.",
    unreadable: {
      empty: "",
      bad_json: "It begins like JSON, but cannot be read as that.",
      no_list: "It holds no list of memories.",
      no_address: "No memory is in it: each begins with a heading such as # mem://user/events/first-launch.",
    },
    preview: "What is in it",
    formats: { markdown: "Markdown", json: "JSON" },
    holds: (format: string, many: number) => `${format}, ${plural(many, "memory", "memories")}.`,
    stays: "They keep their addresses.",
    goes: (uri: string) =>
      `They come from elsewhere, and go below ${uri}. What their addresses share at the beginning is left out.`,
    more: (many: number) => `and ${count(many)} more`,
    look: "See what it would do",
    would: (results: Record<ItemState, number>) =>
      `Nothing is imported yet. It would be: ${outcome(results)}.`,
    deed: (many: number) =>
      many === 0 ? "Nothing to import" : `Import ${plural(many, "memory", "memories")}`,
    outcome,
    imported: (results: Record<ItemState, number>) => `Imported: ${outcome(results)}`,
    states: STATES,
    done: "What became of it",
    refused: "Refused",
    every: (many: number) => `Every entry (${count(many)})`,
    entry: (place: number) => `Entry ${count(place)}`,
    back: "Change it and import again",
    toFolder: "To the folder",
  },

  new: {
    title: "New memory",
    kind: "Category",
    byAddress: "By its address",
    entity: "Person, project or thing",
    name: "Name",
    nameIs: "A few words; the address is made of them.",
    address: "Address",
    addressIs: "As in mem://user/events/2026-02-25-first-deploy. Folders on the way come to be with it.",
    occurredIs: "Empty: today.",
    readOnly: "You may read here, not write.",
    becomes: (uri: string) => `Its address: ${uri}`,
    numbered: "the name is taken, so it gets a number",
    audience: "Who sees it",
    mine: "Only you",
    team: "Everybody in the workspace",
    deed: "Write it down",
    created: "Written down",
    taken: "Something stands at this address already.",
  },
};
