/** Metadata of sample packs: the policy's limits, and nothing omitted. */

import type { Context } from "@/api/context";

const THRESHOLD = { light: 8000, deep: 16_000, aggressive: 24_000 };

export const LIMITS: Context["metadata"]["limits"] = {
  thresholds: THRESHOLD,
  targets: { light: 6800, deep: 5600, aggressive: 4800 },
  summary_lines: {
    goals: 5,
    decisions: 10,
    requirements: 10,
    current_plan: 5,
    open_questions: 5,
    definitions: 20,
    references: 20,
  },
  preservation: { target: 85, minimum: 60 },
};

export const OMITTED: Context["metadata"]["omitted"] = {
  user_memory: [],
  summary_lines: [],
  excerpts: [],
  messages_before: null,
  retrieved: [],
  identity: [],
  preferences: [],
  topics: [],
  entities: [],
  private_memory: null,
};
