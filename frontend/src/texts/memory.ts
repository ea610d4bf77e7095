/** The memory page: the tree, one memory, and finding. */

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
  lexical: "Words in common",
  similarity: "Similar meaning",
  actor: "Who it is about",
  date: "The date asked for",
  short_question: "A short question before it",
  following: "What was said next",
  preceding_question: "The question before it",
  window: "What stands around it",
  session: "The session it belongs to",
};

export const memory = {
  ...memoryNode,
  ...memoryForms,
  title: "Memory",
  parts: "Parts of the memory",
  tabs: { tree: "Tree", find: "Find" },
  create: "New memory",
  categories: CATEGORIES,
  notLoaded: "This could not be loaded. Nothing was changed.",
  putAway: "What you typed was put away.",
  backToTree: "Back to the tree",

  tree: {
    name: "Memories",
    search: "Find memories",
    empty: "Nothing in here yet",
    loading: "Loading",
    failed: "Could not be loaded. Try again",
    more: "Show more",
    archived: "Show archived",
    isPrivate: "only you",
    inIt: (many: number) => (many === 1 ? "memory" : "memories"),
  },

  about: {
    title: "What is remembered",
    detail:
      "Every memory has an address, like a file. What lies below user and sessions is yours alone; what lies below agent can be shared with the workspace.",
    of: {
      profile: "Who you are and how you like to work.",
      preferences: "What you prefer.",
      entities: "People, projects and things, and what is known of each.",
      events: "What happened, and when.",
      patterns: "What has proved itself.",
      cases: "Problems and how they were solved.",
      session: "What each session of an agent was about.",
    },
  },

  folder: {
    empty: "Nothing is kept here yet. What you write down, and what is learnt from chats, comes here.",
    children: "In here",
  },

  find: {
    title: "Find",
    box: "What are you looking for?",
    deed: "Find",
    searching: "Searching",
    corpus: "Where",
    corpora: { all: "Both", memories: "Memories", messages: "Messages" },
    filters: "Filters",
    filtersOn: (many: number) => `Filters, ${many} on`,
    category: "Category",
    any: "Any",
    trust: "Trusted at least as",
    trusts: {
      direct_user: "Own words",
      model_inference: "Inferred",
      tool: "From a tool",
    } as Record<string, string>,
    since: "From",
    until: "To",
    tags: "Tags",
    tagsAre: "All of these, with commas between them.",
    within: "Below the address",
    filtersAre:
      "Category, trust, tags and address are said of memories; with one of them messages are left out.",
    clear: "Clear filters",
    results: (many: number) => plural(many, "result"),
    begin: "Ask in your own words.",
    beginDetail:
      "What is found by meaning and by words comes first as far as it is relevant now. Being found counts as a use: it keeps a memory from fading.",
    nothing: (q: string) => `Nothing for “${q}”.`,
    nothingDetail: "Try other words or fewer filters.",
    more: "Show more",
    why: "Why",
    whyOf: (name: string) => `Why ${name}`,
    score: "Score",
    scoreIs: "The parts added, times the relevance now.",
    sum: "Together",
    shares: { similarity: "meaning", lexical: "words", rest: "what is around" },
    wordsOnly: "Only words were compared: there are no vectors for it yet.",
    part: "Part",
    value: "Value",
    partsOf: "Parts of the score",
    partNames: PARTS,
    relevance: "Relevance now",
    message: (index: number) => `Message ${count(index)}`,
    roles: { user: "a person", assistant: "the assistant", tool: "a tool", system: "the system" } as Record<
      string,
      string
    >,
    said: (who: string) => `said by ${who}`,
    kindMessage: "message",
  },
};
