/** The drawer's words about the exact pack: what is in it, what counted it, and how it came about. */

import { count, plural } from "./plural";

interface Counter {
  name: string;
  factor: number;
  calls: number;
  fallback_from: string;
}

export const pack = {
  pack: {
    title: "What the model sees",
    open: "What the model sees",
    about: "The next request, part by part, in the order in which the model reads it.",
    form: "Form",
    forms: { parts: "Parts", anthropic: "Anthropic", openai: "OpenAI" },
    copy: "Copy as JSON",
    copied: "Copied as JSON",
    notCopied: "The browser did not let it be copied.",
    empty: "Empty.",
    excerpt: "An excerpt: the middle is left out.",
    roles: { user: "User", assistant: "Assistant", tool: "Tool", system: "System" },
  },

  estimator: {
    by: ({ name, factor, calls, fallback_from: wanted }: Counter) => {
      const counted =
        wanted === "" ? `Counted by ${name}` : `${wanted} could not be loaded; counted by ${name}`;
      const times = factor === 1 ? "" : `, times ${count(factor)}`;
      const learned = calls === 0 ? "" : `, calibrated from ${plural(calls, "reply", "replies")}`;
      return `${counted}${times}${learned}.`;
    },
    stored: "Single messages and lines are in stored tokens: characters/4.",
  },

  share: {
    title: "How the budget was shared",
    strategies: { full: "Full", windowed: "Windowed", compacted: "Compacted", multi_level: "Multi-level" },
    how: {
      full: "Every live message stands in its own words, long ones as excerpts.",
      windowed: "The newest live messages stand in their own words, those before them in short.",
      compacted:
        "The newest live messages stand in their own words. Before them the weightiest are quoted, and the oldest are told in short.",
      multi_level:
        "The newest live messages stand in their own words. Those before them are told in short, the older the shorter.",
    },
    engineOff: "The engine is off: the newest messages that fit, and nothing of those before them.",
    coverage: "Live messages before the current one",
    shown: (many: number) => `${count(many)} in their own words`,
    key: (many: number) => `${count(many)} quoted`,
    summarized: (many: number) => `${count(many)} in short`,
    dropped: (many: number) => `${count(many)} left out`,
    epoch: (number: number, since: string, why: string) =>
      `Epoch ${count(number)}, since ${since}${why === "" ? "" : `, ${why}`}.`,
    beganNow: "It began with this pack.",
    epochIs:
      "While an epoch lasts, everything before the recent messages stays as it is, and they begin at the same one.",
    unchanged: (percent: number, same: number, previous: number) =>
      `${percent} % of the last pack came again unchanged, ${count(same)} of ${plural(previous, "token")} from its beginning: a model’s cache can serve them.`,
    noneUnchanged: "Nothing of the last pack came again unchanged.",
    firstPack: "There is no earlier pack of this budget to compare with.",
    whole:
      "The system prompt, pins and the current message come first and stand whole. What is left is shared among the layers.",
    caption: "Stored tokens: characters/4.",
    captionOfEpoch: "Stored tokens: characters/4. Wanted and granted as the epoch began, used in this pack.",
    layer: "Layer",
    wanted: "Wanted",
    granted: "Granted",
    used: "Used",
    priority: "Priority",
    less: (many: number) => `${count(many)} less than it wanted`,
    noRoom: "no room",
    layers: {
      L0_identity: "Identity",
      L1_global_prefs: "User memory",
      L2_topic: "Topics",
      L3_entity: "Entities",
      L4_conversation: "Summary",
      L5_jit: "Retrieved",
      L6_message_history: "Messages",
      L7_user_message: "This message",
    },
    nothingToSay: (layers: string) => `Nothing to say: ${layers}.`,
  },

  segment: {
    range: (first: number, last: number) => `#${first}–#${last}, in short`,
    showName: (first: number) => `Show message ${first}, the first of them`,
    quoted: (many: number) => `${plural(many, "message")} quoted`,
  },

  own: {
    title: "How your packs are built",
    where: "in this workspace",
    depth: "Knowledge depth",
    depths: { minimal: "Minimal", standard: "Standard", deep: "Deep" },
    depthIs: "How much of what is known a pack brings along.",
    history: "History first",
    historyIs: "In a long chat, more of it rather than of what is known.",
    budget: "Token budget",
    budgetIs: "Of your packs, where the chat names none. Empty: the workspace’s.",
    notWhole: (largest: number) => `A whole number from 1 to ${count(largest)}, or nothing.`,
    save: "Save budget",
    saved: "Your packs are built so from now on",
  },
};
