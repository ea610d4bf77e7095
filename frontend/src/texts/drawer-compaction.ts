/** The drawer's words about compactions, and their history. */

import { messageNumber, numberRange } from "./message-number";
import { count, plural } from "./plural";
const messages = (many: number) => plural(many, "message");

const FALLBACK_REASON: Record<string, string> = {
  recall_only: "models are off in this workspace",
  ceiling: "too little of today's limit is left",
  no_price: "the model's price is unknown and spending is limited",
  no_room: "the chat doesn't fit the model's context window",
  backlog: "too many messages were waiting",
  resting: "the provider failed several times and is paused",
  failed: "the model failed",
};

export const compaction = {
  compact: {
    now: "Compact now",
    choose: "Compaction strength",
    levels: { light: "Light", deep: "Deep", aggressive: "Aggressive" },
    what: {
      light: "Compacts older messages into the summary.",
      deep: "Compacts older messages and shortens the summary.",
      aggressive: "Compacts older messages and makes the summary as short as possible.",
    },
    frees: "Frees",
    freesUnit: "tokens.",
    freesNothing: "Nothing older to compact. This only refreshes the summary.",
    nothingToCompact: "Nothing to compact yet.",
    undoStays: "You can undo this.",
    leaves: (percent: string, minimum: number) =>
      `Leaves ≈ ${percent} of this chat's size, below your warning level of ${count(minimum)}%.`,
    asked: "Compaction started",
    stop: "Stop",
    untilLast: "Nothing changes until the last step.",
    alreadyEnded: "Already finished.",
    off: "Automatic compaction is off in this workspace. You can compact at any time.",
    engineOff:
      "Continuity's engine is off in this workspace. The model sees the system prompt and the newest messages that fit; nothing is summarized.",
  },

  run: {
    tag: "Compacting",
    of: (level: string) => `${level} compaction`,
    waiting: "waiting for a pause",
    progress: "Progress of the compaction",
    elapsed: (seconds: string, most: number) => `${seconds} s (max ${most} s)`,
    seconds: (seconds: string) => `${seconds} s`,
    stages: {
      queued: "Wait for a pause",
      reading: "Read the messages",
      writing: "Write the summary",
      checking: "Check the summary",
      storing: "Save and apply",
    },
    doing: {
      queued: "Waiting for a pause",
      reading: "Reading the messages",
      writing: "Writing the summary",
      checking: "Checking the summary",
      storing: "Saving and applying",
    },
    done: {
      queued: "Waited for a pause",
      reading: "Read the messages",
      writing: "Wrote the summary",
      checking: "Checked the summary",
      storing: "Saved and applied",
    },
    states: { done: "done", now: "now", next: "next" },
    announce: (stage: string) => `Compaction: ${stage}`,
    note: (version: number) =>
      version === 0
        ? "New messages aren't included."
        : `Summary v${version} stays in use until the new one is saved. New messages aren't included.`,
    expected: "Expected result",
    now: "Now",
    after: "After",
    notSmaller: "Some older messages are sent in full again, so the total doesn't shrink.",
  },

  failed: {
    title: "Compaction failed; nothing changed",
    nextTry: (when: string) => `Retrying ${when}.`,
    soon: "in a moment",
    inMinutes: (many: number) => `in ${plural(many, "minute")}`,
    noTry: "It won't retry automatically.",
    kept: (version: number) =>
      version === 0 ? "There's no summary yet." : `Summary v${version} stays in use.`,
    again: "Try now",
  },

  finished: {
    tag: (at: string) => `Compacted ${at}`,
    freed: (many: number) => `≈ ${count(many)} live tokens freed`,
    renewed: "Summary refreshed",
    counted: (seconds: string) => `${seconds} s`,
    live: "Live",
    size: "Size",
    folded: "Compacted",
    foldedRange: (many: number, from: number, through: number) =>
      `${messages(many)}, ${numberRange(from, through)}`,
    changes: "Changes",
    undo: "Undo this compaction",
    undoShort: "Undo",
    undoWhat: (version: number, many: number) =>
      `Restores ${
        many === 1 ? "the message" : `all ${messages(many)}`
      } and ${version === 0 ? "removes the summary" : `goes back to what v${version} covered`}. You can undo at any time.`,
    undone: (version: number) =>
      version === 0
        ? "Compaction undone. There's no summary now."
        : `Compaction undone. The summary covers the same messages as v${version}.`,
    undoneNow: (base: number, current: number) =>
      base === 0
        ? `Compaction undone. Summary v${current} is in use, with your corrections.`
        : `Compaction undone. Summary v${current} is in use and covers the same messages as v${base}.`,
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
    undoName: (version: number) => `Undo the compaction that created version ${version}`,
    triggers: { auto: "automatic", manual: "manual" },
    states: {
      queued: "waiting",
      running: "running",
      succeeded: "done",
      failed: "failed",
      undone: "undone",
      stopped: "stopped",
    },
    live: "live",
    size: (percent: string) => `${percent} of full size`,
    counted: "≈",
    tokensCounted: "≈ tokens",
    undoCorrection: (version: number) => `Undo the correction that created version ${version}`,
    folded: messages,
    causes: {
      "": "created",
      "compaction": "compaction",
      "exclusion": "exclusion",
      "undo": "undo",
      "fork": "fork",
      "correction": "correction",
    } as Record<string, string>,
    fallbackReason: (why: string) =>
      `Written without a model: ${FALLBACK_REASON[why] ?? "the model was unavailable"}.`,
    covers: (index: number) => `up to message ${messageNumber(index)}`,
    inUse: "in use",
  },

  comparison: {
    title: (from: number, to: number) => `Summary v${from} → v${to}`,
    back: "Back to the history",
    added: "Added",
    removed: "Removed",
    changed: "Changed",
    unchanged: (many: number) => `${plural(many, "line")} unchanged`,
    nothing: "No differences.",
    removedBecause: {
      superseded: "Replaced",
      answered: "Answered",
      done: "Done",
      limit: "Section full",
      instruction: "Looked like a prompt injection",
      unknown: "No reason given",
    },
    endedBy: "by",
  },
};
