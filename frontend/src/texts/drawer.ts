/** The header pill and the Summary Drawer. */

import { count, plural } from "./plural";
import { compaction } from "./drawer-compaction";
import { health } from "./drawer-health";
import { kept } from "./drawer-lists";
import { pack } from "./drawer-pack";

const tokens = (many: number) => plural(many, "token");

export const drawer = {
  title: "Context",
  open: "Open the context drawer",
  close: "Close the context drawer",
  back: "Back to the context",
  resize: "Width of the context drawer",
  grow: "Show the whole drawer",
  shrink: "Show half of the drawer",
  tokens,
  more: "Show more",
  notLoaded: "This part could not be loaded.",
  retry: "Try again",
  readOnly: "You may read this chat. Whoever may write in it changes what is sent.",
  putAway: "What you wrote was put away",
  counted: (many: number, andMore = false) => `${count(many)}${andMore ? "+" : ""} · tokens counted`,

  pill: {
    connecting: "Connecting",
    offline: "Offline",
    offlineReason: "what you send waits here",
    waits: (many: number) => `${plural(many, "message")} ${many === 1 ? "waits" : "wait"}`,
    amount: (used: number, limit: number) => `${count(used)} of ${tokens(limit)}, counted`,
  },

  source: {
    reported: "Reported by the provider",
    counted: "Counted",
    estimated: "Estimated",
    policy: "Set in the policy",
  },
  saidBy: {
    user: "a person",
    assistant: "the assistant",
    tool: "a tool",
    system: "the system",
  },
  sourceName: (index: number, who: string) => `Source: message ${index}, said by ${who}`,
  sourceGone: "The message that this came from cannot be found any more.",
  sourceGoneShort: "source gone",

  usage: {
    title: "Use of the context",
    of: (limit: number) => `of ${tokens(limit)}`,
    counted: (from: string) => `counted · limit from ${from}`,
    from: {
      request: "the request",
      conversation: "this chat",
      user: "your settings",
      workspace: "this workspace",
      installation: "this installation",
    },
    meter: (used: number, limit: number, threshold: number | null) =>
      `${count(used)} of ${tokens(limit)}` +
      (threshold === null ? "" : `, compacts at ${count(threshold)} live`),
    threshold: (at: number) => `compacts at ${count(at)} live`,
    after: "after",
    layers: {
      system: "System",
      user: "User memory",
      pins: "Pins",
      summary: "Summary",
      earlier: "Earlier messages",
      recent: "Recent messages",
      retrieved: "Looked up",
      current: "This message",
      free: "Free",
    },
    countedUnit: "tokens, counted",
    items: (layer: string) => `${layer}: what is in it`,
    part: "Part",
    amount: "Tokens, counted",
    nothingIn: "Nothing is in this part.",
    leftOut: {
      user_memory: (many: number) => `${count(many)} not sent: no room`,
      summary_lines: (many: number) =>
        `${plural(many, "line")} not sent: no room, or what they tell stands in the messages below`,
      excerpts: (many: number) => `${count(many)} shown in part`,
      retrieved: (many: number) => `${count(many)} found and not sent: no room`,
      messages_before: (index: number) => `Live messages before #${index} do not stand in their own words.`,
    },
  },

  forecast: {
    none: "No forecast",
    turns: (many: number) => `${plural(many, "turn")} until compaction`,
    soon: "Compaction comes after a pause",
    basis: "estimated, median of 5 turns",
    chart: (points: number, live: number, threshold: number) =>
      `Live tokens over ${count(points)} messages, now ${count(live)}; compaction comes at ${count(threshold)}.`,
    mark: (index: number, before: number, after: number) =>
      `Compaction after message ${index}: ${count(before)} → ${count(after)} live. Open the comparison.`,
    marks: (many: number, first: number, last: number) =>
      `${plural(many, "compaction")} after messages ${first} to ${last}. Open the history.`,
    partly: "Older points are estimated.",
  },

  preserved: {
    title: "Preserved",
    minimum: (percent: number) => `minimum ${percent} %`,
    meter: (value: string, minimum: number) => `${value} of everything said, minimum ${minimum} %`,
    of: (whole: number) => `of ${tokens(whole)} ever said, excluded ones left out · counted`,
    whyLow:
      "Older messages stand in the summary in fewer words. Undo a compaction, or pin what must not be lost.",
  },
  ...health,
  ...kept,
  ...compaction,
  ...pack,
};
