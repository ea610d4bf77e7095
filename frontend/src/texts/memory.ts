/** The memory page: the tree, one memory, and finding. */

import { messageNumber } from "./message-number";
import { memoryForms } from "./memory-forms";
import { memoryNode } from "./memory-node";
import { count, plural } from "./plural";

/** By the ids that the server serves. */
const CATEGORIES = {
  profile: "profile",
  preferences: "preference",
  entities: "entity",
  events: "event",
  patterns: "pattern",
  cases: "case",
  session: "session",
};

const PARTS: Record<string, string> = {
  lexical: "Matching words",
  similarity: "Similar meaning",
  actor: "Subject",
  date: "Date in the question",
  short_question: "Is a short question itself",
  window: "Best of itself and its neighbors",
};

export const memory = {
  ...memoryNode,
  ...memoryForms,
  title: "Memory",
  create: "New memory",
  categories: CATEGORIES,
  notLoaded: "Couldn't load this. Nothing was changed.",
  putAway: "Draft discarded.",
  offline: "No connection. What you see may be out of date; the rest loads when you're back online.",
  backToTree: "Back to the tree",

  tree: {
    name: "Memories",
    search: "Search memories",
    empty: "Empty",
    loading: "Loading",
    offline: "Not loaded: no connection",
    failed: "Couldn't load. Try again",
    more: "Show more",
    archived: "Show archived",
    isPrivate: "only you",
    inIt: (many: number) => (many === 1 ? "memory" : "memories"),
  },

  always: {
    title: "Sent with every chat",
    detail:
      "You wrote these to be part of all your chats. Add and edit them in the Summary Drawer of any chat.",
    empty: "Nothing yet. Add something in the Summary Drawer of any chat, under “User memory”.",
    isActive: (key: string) => `Send “${key}”`,
    types: {
      preference: "preference",
      fact: "fact",
      constraint: "constraint",
      definition: "definition",
    } as Record<string, string>,
  },

  about: {
    title: "Your memory",
    detail:
      "Every memory has an address, like a file. user and sessions are private; agent can be shared with the workspace.",
    of: {
      profile: "Who you are and how you like to work.",
      preferences: "What you prefer.",
      entities: "People, projects and things, with facts about each.",
      events: "What happened, and when.",
      patterns: "Approaches that worked.",
      cases: "Problems and how they were solved.",
      session: "One entry per agent session.",
    },
  },

  folder: {
    empty: "Nothing here yet. Things you save or the chat learns will appear here.",
    children: "Contents",
  },

  find: {
    title: "Search",
    box: "What are you looking for?",
    deed: "Search",
    searching: "Searching",
    corpus: "Search in",
    corpora: { all: "Both", memories: "Memories", messages: "Messages" },
    replaced: (text: string, day: string) => `No longer true since ${day}, replaced by: “${text}”`,
    disputed: (text: string) => `Said later, and may replace this: “${text}”`,
    filters: "Filters",
    filtersOn: (many: number) => `Filters, ${many} on`,
    category: "Category",
    any: "Any",
    trust: "Minimum trust",
    trusts: {
      direct_user: "From a person",
      model_inference: "Inferred",
      tool: "From a tool",
    } as Record<string, string>,
    since: "From",
    until: "To",
    tags: "Tags",
    tagsAre: "Comma-separated, all required.",
    within: "Under address",
    filtersAre: "These filters apply to memories only, so messages are hidden.",
    clear: "Clear filters",
    found: {
      memories: (many: number) => plural(many, "memory", "memories"),
      messages: (many: number) => plural(many, "message"),
    },
    begin: "Search in your own words.",
    beginDetail:
      "Results are ranked by meaning, keywords and relevance. Being found counts as a use and keeps a memory fresh.",
    nothing: (q: string) => `No results for “${q}”.`,
    nothingIn: {
      memories: (q: string) => `No memories for “${q}”.`,
      messages: (q: string) => `No messages for “${q}”.`,
    },
    nothingDetail: "Try different words or fewer filters.",
    more: "Show more",
    why: "Why",
    whyOf: (name: string) => `Why ${name}`,
    score: "Score",
    scoreIs: "Sum of the parts × current relevance.",
    sum: "Total",
    shares: { similarity: "meaning", lexical: "keywords", rest: "context" },
    wordsOnly: "Ranked by keywords only; not embedded yet.",
    part: "Part",
    value: "Value",
    partsOf: "Parts of the score",
    partNames: PARTS,
    relevance: "Current relevance",
    message: (index: number) => `Message ${count(messageNumber(index))}`,
    roles: { user: "a user", assistant: "the assistant", tool: "a tool", system: "the system" } as Record<
      string,
      string
    >,
    from: (who: string, chat: string) => (chat === "" ? `from ${who}` : `from ${who} in “${chat}”`),
    kinds: { message: "message", user_memory: "sent with every chat" },
  },
};
