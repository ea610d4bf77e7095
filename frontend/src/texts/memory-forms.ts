/** What one fills in to change a memory, or to write one down. */

import { plural } from "./words";

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
    addressIs: "Choose a folder, or type the whole address. A move stays within its root.",
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
    audience: "Who sees it",
    mine: "Only you",
    team: "Everybody in the workspace",
    deed: "Write it down",
    created: "Written down",
    taken: "Something stands at this address already.",
  },
};
