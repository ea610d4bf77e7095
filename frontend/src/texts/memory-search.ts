/** The search that reads the intent of a query and looks around in the tree. */

import { chat } from "./chat";
import { plural } from "./plural";

const WORDS_ONLY = "Ranked by keywords only";

/** What a search did without, by code; any other code is that of a model call. */
const DEGRADED: Record<string, string> = {
  no_vectors_yet: `${WORDS_ONLY}; not embedded yet.`,
  vector_not_made: `${WORDS_ONLY}; the query couldn't be embedded.`,
  nothing_to_compare: `${WORDS_ONLY}; the query has no meaning to compare.`,
  relevance_not_judged: "Whether these are relevant couldn't be judged.",
  deadline: "Time was up before the whole tree was searched.",
};

export const memorySearch = {
  mode: "How to search",
  modes: { find: "Quick", search: "Thorough" },
  modesAre: {
    find: "Compares words and meaning. No model is called.",
    search:
      "Splits the question into parts and looks around in the tree. The workspace's model, if any, splits it.",
  },
  understood: "Understood as",
  kinds: { MEMORY: "about you", PATTERN: "how the team works", RESOURCE: "what was written" },
  by: (reader: string) => (reader === "rules" ? "Split by rules." : `Split by ${reader}.`),
  found: (many: number) => plural(many, "result"),
  shares: ["words and meaning", "relevance", "company"],
  parts: {
    similarity: "Words and meaning",
    relevance: "Current relevance",
    parent_score: "Company in its folder",
  },
  product: (weight: string, part: string) => `${weight} × ${part}`,
  scoreIs: "Sum of the parts, each compared with the best of these results.",
  showAll: "Show all",
  showAllOf: (name: string) => `Show all of ${name}`,
  showLess: "Show less",
  showLessOf: (name: string) => `Show less of ${name}`,
  whole: "Read the whole memory",
  wholeOf: (name: string) => `Read the whole memory ${name}`,
  rounds: (many: number) => plural(many, "round"),
  lookedInto: "Looked into",
  nothingLeft: "Nothing left to look into.",
  added: (many: number) => (many === 0 ? "Nothing new." : `${plural(many, "new memory", "new memories")}.`),
  ends: {
    stable: "Ended because the results stayed the same.",
    exhausted: "Ended because no folder was left to look into.",
    rounds: "Ended at the limit of rounds.",
    deadline: "Ended because time was up.",
  },
  abstained: {
    chit_chat: "This asks for nothing.",
    nothing_relevant: "Nothing relevant is known about this.",
  },
  abstainedDetail: {
    chit_chat: "Ask a question, or name what you are looking for.",
    nothing_relevant: "What is stored is too far from the question.",
  },
  nearest: "Show the nearest anyway",
  degraded: (code: string) => DEGRADED[code] ?? chat.emptyEnding(code),
};
