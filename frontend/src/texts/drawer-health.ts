/** The drawer's words for the codes of the server: health, why no compaction is due, why an epoch began, warnings. */

import { count, plural } from "./plural";

type Params = Record<string, number>;

const shown = (params: Params, name: string) => count(params[name] ?? 0);
const used = (params: Params) => `${shown(params, "percent")} % used`;
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
      full: () => "full, older messages are left out",
      due_in_turns: ({ turns = 0 }: Params) => `compacts in ≈ ${plural(turns, "turn")}`,
      due_after_pause: () => "compacts after a pause",
      queued: () => "waits, keep writing",
      running: (params: Params) => `${shown(params, "percent")} %, keep writing`,
      retry_soon: () => "next try in a moment",
      retry_in_minutes: (params: Params) => `next try in ${shown(params, "minutes")} min`,
      nothing_changed: () => "nothing changed",
      compacted: (params: Params) => `${shown(params, "before")} → ${shown(params, "after")} live`,
      summary_updated: () => "the summary is new",
    },
  },

  notDue: {
    now: (why: string) => `No compaction now: ${why}.`,
    reasons: {
      off: () => "automatic compaction is switched off",
      few_messages: (params: Params) => `${some(params)} messages`,
      few_tokens: (params: Params) => `${some(params)} live tokens`,
      little_to_compact: (params: Params) => `${some(params)} tokens can be compacted`,
      paused_until: (params: Params) => `compaction rests until ${shown(params, "tokens")} tokens are live`,
      paused: () => "compaction rests until somebody asks",
    },
  },

  warnings: {
    low_preservation: ({ percent = 0, minimum = 0 }: Params) =>
      `The context holds ${percent.toFixed(1)} % of the conversation, less than ${count(minimum)} %.`,
  },

  epochReasons: {
    changed: (parts: string[]) => `because of a change: ${parts.join(", ")}`,
    parts: {
      summary: "the summary",
      pins: "pins",
      memory: "memory",
      system_prompt: "the system prompt",
      policy: "policy",
      settings: "settings",
      model: "the model",
      estimator: "the estimator",
      exclusions: "exclusions",
    },
    events: {
      window_full: "because the window was full",
      unreadable: "because the last one could not be read",
    },
  },
};
