/** The drawer's words about the exact pack, which load with it: what is in it, what counted it, how it came about. */

import { messageNumber, numberRange } from "./message-number";
import { capitalize, count, plural } from "./plural";

interface Counter {
  name: string;
  factor: number;
  calls: number;
  fallback_from: string;
}

/** The estimators; any other counter is a tokenizer. */
export const ESTIMATORS: ReadonlySet<string> = new Set([
  "characters by script",
  "characters/4",
  "words/0.75",
]);

export const packing = {
  pack: {
    title: "What the model sees",
    open: "What the model sees",
    about: "The next request, in the order the model reads it.",
    form: "Format",
    forms: { parts: "Parts", anthropic: "Anthropic", openai: "OpenAI" },
    copy: "Copy as JSON",
    copied: "Copied as JSON",
    notCopied: "Couldn't copy. Your browser blocked it.",
    empty: "Empty.",
    excerpt: "Shortened: the middle is omitted.",
    roles: { user: "User", assistant: "Assistant", tool: "Tool", system: "System" },
  },

  estimator: {
    by: ({ name: estimator, factor, calls, fallback_from: wanted }: Counter) => {
      const verb = ESTIMATORS.has(estimator) ? "estimated" : "counted";
      const name = estimator.replace("characters/4", "characters ÷ 4");
      const counted =
        wanted === "" ? `${capitalize(verb)} by ${name}` : `${wanted} couldn't be loaded; ${verb} by ${name}`;
      const times = factor === 1 ? "" : ` × ${count(factor)}`;
      const learned = calls === 0 ? "" : `, calibrated from ${plural(calls, "reply", "replies")}`;
      return `${counted}${times}${learned}.`;
    },
    stored: "Single messages and lines are estimated: characters ÷ 4.",
  },

  share: {
    title: "How the budget was spent",
    strategies: { full: "Full", windowed: "Windowed", compacted: "Compacted", multi_level: "Multi-level" },
    how: {
      full: "All messages in full; long ones shortened.",
      windowed: "The newest messages in full, earlier ones summarized.",
      compacted: "The newest messages in full; before them, key messages quoted and the oldest summarized.",
      multi_level: "The newest messages in full; earlier ones summarized, the older the shorter.",
    },
    engineOff: "The engine is off: only the newest messages that fit are sent.",
    coverage: "Live messages before the current one",
    shown: (many: number) => `${count(many)} in full`,
    key: (many: number) => `${count(many)} quoted`,
    summarized: (many: number) => `${count(many)} summarized`,
    dropped: (many: number) => `${count(many)} omitted`,
    included: (many: number) =>
      many === 1
        ? "1 compacted message is included in full again."
        : `${count(many)} compacted messages are included in full again.`,
    filled: (percent: string, free: number) =>
      `Fills ${percent} of the budget; ≈ ${count(free)} tokens stay free for the next messages.`,
    epoch: (number: number, since: string, why: string) =>
      `Cache prefix ${count(number)}, since ${since}${why === "" ? "" : ` (${why})`}.`,
    beganNow: "It starts with this request.",
    epochIs:
      "Until something changes, the beginning of the request stays identical, so the provider can cache it.",
    unchanged: (percent: number, same: number, previous: number) =>
      `${percent}% of the last request is unchanged (${count(same)} of ${plural(previous, "token")}, from the start), so the provider's cache can serve it.`,
    noneUnchanged: "Nothing could be reused from the last request.",
    firstPack: "Nothing to compare with yet.",
    whole:
      "The system prompt, pins and the current message are always complete. The rest of the budget is shared among the layers.",
    caption: "≈ tokens: characters ÷ 4.",
    captionOfEpoch:
      "≈ tokens: characters ÷ 4. Requested and allowed when the cache prefix started; used in this request.",
    layer: "Layer",
    wanted: "Requested",
    granted: "Allowed",
    used: "Used",
    priority: "Priority",
    less: (many: number) => `${count(many)} fewer than requested`,
    noRoom: "no room",
    layers: {
      L0_identity: "Identity",
      L1_global_prefs: "Preferences",
      L2_topic: "Topics",
      L3_entity: "Entities",
      L4_conversation: "Summary",
      L5_jit: "Retrieved",
      L6_message_history: "Messages",
      L7_user_message: "This message",
    },
    nothingToSay: (layers: string) => `Empty: ${layers}.`,
  },

  segment: {
    range: (first: number, last: number) => `${numberRange(first, last)}, summarized`,
    showName: (first: number) => `Show message ${messageNumber(first)}, the first of these`,
    quoted: (many: number) => `${plural(many, "message")} quoted`,
  },

  own: {
    title: "Context settings",
    where: "in this workspace",
    depth: "Knowledge depth",
    depths: { minimal: "Minimal", standard: "Standard", deep: "Deep" },
    depthIs: "How much memory to include.",
    history: "Prefer history",
    historyIs: "In long chats, include more of the chat and less memory.",
    budget: "Default token budget",
    budgetIs: "Leave empty for the workspace default.",
    notWhole: (largest: number) => `Enter a number from 1 to ${count(largest)}, or leave empty.`,
    save: "Save budget",
    saved: "Saved",
  },
};
