/** The header pill and the Summary Drawer. */

import { messageNumber } from "./message-number";
import { count, plural } from "./plural";
import { compaction } from "./drawer-compaction";
import { health } from "./drawer-health";

const tokens = (many: number) => plural(many, "token");

export const drawer = {
  title: "Context",
  open: "Open the Summary Drawer",
  close: "Close the Summary Drawer",
  back: "Back to context",
  resize: "Width of the Summary Drawer",
  grow: "Show the whole drawer",
  shrink: "Show half of the drawer",
  tokens,
  more: "Show more",
  notLoaded: "Couldn't load this part.",
  retry: "Try again",
  readOnly: "Read only. People who can post in this chat decide what's sent.",
  putAway: "Draft saved",
  counted: (many: number, andMore = false) => `${count(many)}${andMore ? "+" : ""} · ≈ tokens`,

  pill: {
    connecting: "Connecting",
    empty: "Empty",
    emptyReason: "nothing sent yet",
    temporary: "Temporary",
    temporaryReason: "learns nothing",
    offline: "Offline",
    offlineReason: "messages are queued here",
    waits: (many: number) => `${plural(many, "message")} queued`,
    amount: (used: number, limit: number) => `≈ ${count(used)} of ${tokens(limit)}`,
  },

  source: {
    reported: "Reported by the provider",
    counted: "Counted",
    estimated: "Estimated",
    policy: "Set by the workspace's policy",
  },
  roles: {
    user: "user",
    assistant: "assistant",
    tool: "tool",
    system: "system",
  },
  sourceName: (index: number, who: string) => `Source: message ${messageNumber(index)}, ${who}`,
  sourceGone: "The source message no longer exists.",
  sourceGoneShort: "source missing",

  usage: {
    title: "Context usage",
    of: (limit: number) => `of ${tokens(limit)}`,
    counted: (from: string) => `limit: ${from}`,
    from: {
      request: "this request",
      conversation: "this chat",
      user: "your settings",
      workspace: "this workspace",
      installation: "server default",
    },
    meter: (used: number, limit: number, threshold: number | null) =>
      `${count(used)} of ${tokens(limit)}` +
      (threshold === null ? "" : `, compacts at ${count(threshold)} live tokens`),
    threshold: (at: number) => `compacts at ${count(at)} live tokens`,
    after: "after",
    layers: {
      system: "System",
      user: "About you",
      pins: "Pins",
      topics: "Topics",
      entities: "Entities",
      summary: "Summary",
      earlier: "Earlier (shortened)",
      recent: "Recent (in full)",
      retrieved: "Retrieved",
      current: "This message",
      free: "Free",
    },
    countedUnit: "≈ tokens",
    items: (layer: string) => `${layer}: contents`,
    part: "Part",
    amount: "≈ Tokens",
    nothingIn: "Empty.",
    leftOut: {
      user_memory: (many: number) => `${count(many)} didn't fit`,
      summary_lines: (many: number) =>
        `${plural(many, "line")} omitted: no room, or already covered by the messages below`,
      excerpts: (many: number) => `${count(many)} shortened`,
      retrieved: (many: number) => `${count(many)} found but didn't fit`,
      messages_before: (index: number) => `Messages before ${messageNumber(index)} are shortened.`,
    },
  },
  ...health,
  ...compaction,
};
