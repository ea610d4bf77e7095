/** The drawer's words for the codes of the server: health, why no compaction is due, why an epoch began, warnings. */

import { count, plural } from "./plural";

type Params = Record<string, number>;

const shown = (params: Params, name: string) => count(params[name] ?? 0);
const used = (params: Params) => `≈ ${shown(params, "percent")}% of the budget`;
const some = (params: Params) => `${shown(params, "count")} of ${shown(params, "needed")}`;

export const health = {
  health: {
    status: {
      new: "New",
      healthy: "Healthy",
      tight: "Tight",
      compacting: "Compacting",
      compacted: "Compacted",
      failed: "Compaction failed",
    },
    reasons: {
      nothing_to_compact: () => "nothing to compact yet",
      used,
      live: (params: Params) => `≈ ${shown(params, "tokens")} of ${shown(params, "threshold")} live tokens`,
      full: () => "full, older messages are shortened",
      due_in_turns: ({ turns = 0 }: Params) => `compacts in ≈ ${plural(turns, "turn")}`,
      due_after_pause: () => "compacts at the next pause",
      queued: () => "queued, keep writing",
      running: (params: Params) => `${shown(params, "percent")}%, keep writing`,
      retry_soon: () => "retrying in a moment",
      retry_in_minutes: (params: Params) => `retrying in ${shown(params, "minutes")} min`,
      nothing_changed: () => "nothing changed",
      compacted: (params: Params) => `≈ ${shown(params, "before")} → ${shown(params, "after")} tokens`,
      summary_updated: () => "summary refreshed",
    },
  },

  notDue: {
    now: (why: string) => `Not needed yet: ${why}.`,
    reasons: {
      off: () => "automatic compaction is off",
      few_messages: (params: Params) => `${some(params)} messages`,
      few_tokens: (params: Params) => `${some(params)} live tokens`,
      little_to_compact: (params: Params) => `${some(params)} compactable tokens`,
      paused_until: (params: Params) => `paused until ${shown(params, "tokens")} live tokens`,
      paused: () => "paused until you start it",
    },
  },

  warnings: {
    low_preservation: ({ percent = 0, minimum = 0 }: Params) =>
      `This chat is down to ${percent.toFixed(1)}% of its size, below your warning level of ${count(minimum)}%.`,
  },

  epochReasons: {
    changed: (parts: string[]) => `${parts.join(", ")} changed`,
    parts: {
      summary: "the summary",
      pins: "pins",
      memory: "memory",
      system_prompt: "the system prompt",
      policy: "policy",
      settings: "settings",
      model: "the model",
      estimator: "the estimator",
      audience: "who reads the chat",
      exclusions: "exclusions",
    },
    events: {
      window_full: "the window was full",
      unreadable: "the last one couldn't be read",
    },
  },
};
