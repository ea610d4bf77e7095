/** The drawer's forecast of the next compaction, and the size after one. */

import { messageNumber } from "./message-number";
import { count, plural } from "./plural";

export const forecast = {
  none: "No forecast",
  turns: (many: number) => `${plural(many, "turn")} until compaction`,
  soon: "Compacts at the next pause",
  basis: "estimated, median of 5 turns",
  chart: (points: number, live: number, threshold: number) =>
    `Live tokens over ${count(points)} messages, now ${count(live)}; compacts at ${count(threshold)}.`,
  mark: (index: number, before: number, after: number) =>
    `Compaction after message ${messageNumber(index)}: ${count(before)} → ${count(after)} live tokens. Open the comparison.`,
  marks: (many: number, first: number, last: number) =>
    `${plural(many, "compaction")} after messages ${messageNumber(first)} to ${messageNumber(last)}. Open the history.`,
  partly: "Earlier values are estimates.",
};

export const size = {
  title: "Size after compaction",
  minimum: (percent: number) => `warning level ${percent}%`,
  meter: (value: string, minimum: number) => `${value} of this chat, warning level ${minimum}%`,
  of: (whole: number) => `of ≈ ${plural(whole, "token")}, not counting excluded messages`,
  whyLow:
    "Older messages are only in the summary now. Every message stays in the chat and can be searched. Pin what the model must see.",
};
