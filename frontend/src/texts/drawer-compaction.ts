/** The drawer's words about compactions, and their history. */

import { count, plural, withArticle } from "./plural";
const messages = (many: number) => plural(many, "message");

const FALLBACK_REASON: Record<string, string> = {
  recall_only: "this workspace sends nothing to one",
  ceiling: "less of today’s limit is left than it may take",
  no_price: "no price of the model is known, and its cost is limited",
  no_room: "the model reads too little at once",
  backlog: "too much had gathered to wait for one",
  resting: "its provider failed several times and is left alone for a while",
  failed: "it failed",
};

export const compaction = {
  compact: {
    now: "Compact now",
    choose: "Choose how thoroughly to compact",
    levels: { light: "Light", deep: "Deep", aggressive: "Aggressive" },
    what: {
      light: "Folds older messages into the summary.",
      deep: "Folds them and rewrites the summary, shorter.",
      aggressive: "Folds them and rewrites the summary, shortest.",
    },
    frees: "Frees",
    freesUnit: "tokens.",
    freesNothing: "Nothing older to compact. This only refreshes the summary.",
    nothingToCompact: "Nothing to compact yet.",
    undoStays: "Undo stays possible.",
    asked: "Compaction asked for",
    stop: "Stop the run",
    untilLast: "Nothing changes until the last step.",
    alreadyEnded: "The run had ended already.",
    off: "Automatic compaction is off in this workspace. Compact by hand whenever you like.",
    engineOff:
      "Continuity’s engine is off in this workspace. The model sees the system prompt and the newest messages that fit; nothing is summarized.",
  },

  run: {
    tag: "Compacting",
    of: (level: string) => `of ${withArticle(level)} compaction`,
    waiting: "waits for a pause",
    progress: "Progress of the compaction",
    elapsed: (seconds: string, most: number) => `${seconds} s of at most ${most} s`,
    seconds: (seconds: string) => `${seconds} s`,
    stages: {
      queued: "Wait for a pause",
      reading: "Read the messages",
      writing: "Write the summary",
      checking: "Check the summary",
      storing: "Save, then switch",
    },
    doing: {
      queued: "Waiting for a pause",
      reading: "Reading the messages",
      writing: "Writing the summary",
      checking: "Checking the summary",
      storing: "Saving, then switching",
    },
    done: {
      queued: "Waited for a pause",
      reading: "Read the messages",
      writing: "Wrote the summary",
      checking: "Checked the summary",
      storing: "Saved and switched",
    },
    states: { done: "done", now: "now", next: "to come" },
    announce: (stage: string) => `Compaction: ${stage}`,
    note: (version: number) =>
      version === 0
        ? "Messages you send now are not part of this run."
        : `Summary v${version} stays in use until the new one is saved. Messages you send now are not part of this run.`,
    expected: "Expected result",
    now: "Now",
    after: "After",
  },

  failed: {
    title: "Compaction failed; nothing changed",
    nextTry: (when: string) => `Next try ${when}.`,
    soon: "in a moment",
    inMinutes: (many: number) => `in ${plural(many, "minute")}`,
    noTry: "It is not tried again by itself.",
    kept: (version: number) =>
      version === 0 ? "No summary was there before." : `Summary v${version} stays in use.`,
    again: "Try now",
  },

  finished: {
    tag: (at: string) => `Compacted ${at}`,
    freed: (many: number) => `${count(many)} live tokens freed`,
    renewed: "The summary is new",
    counted: (seconds: string) => `counted, ${seconds} s`,
    live: "Live",
    preserved: "Preserved",
    folded: "Folded",
    foldedRange: (many: number, from: number, through: number) => `${messages(many)}, #${from}–#${through}`,
    changes: "Changes",
    undo: "Undo this compaction",
    undoShort: "Undo",
    undoWhat: (version: number, many: number) =>
      `Brings back ${version === 0 ? "the chat without a summary" : `v${version}`} and ${
        many === 1 ? "the message" : `all ${messages(many)}`
      }. Possible at any time.`,
    undone: (version: number) =>
      version === 0
        ? "Compaction undone. There is no summary again."
        : `Compaction undone. The summary covers what v${version} covered.`,
    undoneNow: (base: number, current: number) =>
      base === 0
        ? `Compaction undone. Summary v${current} is in use, with your corrections.`
        : `Compaction undone. Summary v${current} is in use and covers what v${base} covered.`,
    notTheLast: "Only the last compaction can be undone. Undo the later ones first.",
    redo: "Compact again",
  },

  history: {
    title: "History",
    compactions: "Compactions",
    noCompactions: "No compaction yet.",
    versions: "Summary versions",
    noVersions: "No summary yet.",
    compare: "Compare",
    compareName: (from: number, to: number) => `Compare version ${from} with version ${to}`,
    undoName: (version: number) => `Undo the compaction that made version ${version}`,
    triggers: { auto: "by itself", manual: "by hand" },
    states: {
      queued: "waits",
      running: "runs",
      succeeded: "done",
      failed: "failed",
      undone: "undone",
      stopped: "stopped",
    },
    live: "live",
    preserved: (percent: string) => `${percent} preserved`,
    counted: "counted",
    tokensCounted: "tokens counted",
    undoCorrection: (version: number) => `Undo the correction that made version ${version}`,
    folded: messages,
    causes: {
      "": "made",
      "compaction": "compaction",
      "exclusion": "exclusion",
      "undo": "undo",
      "fork": "fork",
      "correction": "correction",
    } as Record<string, string>,
    fallbackReason: (why: string) =>
      `Written without a model: ${FALLBACK_REASON[why] ?? "it could not be asked"}.`,
    covers: (index: number) => `through #${index}`,
    inUse: "in use",
  },

  comparison: {
    title: (from: number, to: number) => `Summary v${from} → v${to}`,
    back: "Back to the history",
    added: "Added",
    removed: "Removed",
    changed: "Changed",
    unchanged: (many: number) => `${plural(many, "line")} unchanged`,
    nothing: "Both versions say the same.",
    removedBecause: {
      superseded: "Something newer took its place",
      answered: "It was answered",
      done: "It is done",
      limit: "Its part of the summary was full",
      instruction: "It read like an order to the model",
      unknown: "Left out; nobody said why",
    },
    endedBy: "by",
  },
};
