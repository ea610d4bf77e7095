/** A sample conversation in the API's format, for the drawer's tests. */

import type { Compaction, CompactionPlan, Level } from "@/api/compactions";
import type { Context, PackLayer } from "@/api/context";
import type { ContextSettings } from "@/api/context-settings";
import type { RollingSummary, Summary } from "@/api/summary";
import type { View } from "@/events/reducer";
import type { LiveState } from "@/events/types";
import { LIMITS, OMITTED } from "./pack-metadata";

export const ID = "c1";
export const AT = `/api/conversations/${ID}`;

export function message(index: number, changes: Partial<LiveState["messages"][number]> = {}) {
  const role = index % 2 === 0 ? "user" : "assistant";
  return {
    id: `m${index}`,
    index,
    role,
    status: "complete",
    state: "live",
    token_count: 100,
    error_code: "",
    used_count: 0,
    ...changes,
  } as const;
}

export const HEALTHY: LiveState["health"] = {
  status: "healthy",
  reason: { code: "live", params: { tokens: 4000, threshold: 8000 } },
  not_due_reason: null,
  tone: "ok",
  turns_until_compaction: 5,
  numbers: {
    used_tokens: { value: 6000, source: "estimated" },
    live_tokens: { value: 4000, source: "estimated" },
    limit_tokens: { value: 12_000, source: "policy" },
    threshold_tokens: { value: 8000, source: "policy" },
    tokens_per_turn: { value: 300, source: "estimated" },
  },
};

const UNSHARED = { share_count: 0, private_memory_when_shared: false };

export function view(state: Partial<LiveState> = {}, changes: Partial<View> = {}): View {
  return {
    version: 1,
    healthVersion: 1,
    stale: false,
    stage: null,
    ...changes,
    state: {
      conversation: { title: "A talk", archived_at: null, edited: 1, ...UNSHARED },
      counts: { message_count: 40, token_total: 4000, excluded_tokens: 0, live_count: 40, live_tokens: 4000 },
      summary: { version: 3, tokens: 900, compaction_count: 2 },
      compaction: null,
      turn: null,
      pins: [],
      messages: Array.from({ length: 40 }, (_, index) => message(index)),
      health: HEALTHY,
      ...state,
    },
  };
}

export function compactionState(changes: Partial<NonNullable<LiveState["compaction"]>> = {}) {
  return {
    ...run(changes as Partial<Compaction>),
    run_id: "r2",
    stage: "",
    progress: 0,
    ...changes,
  } as NonNullable<LiveState["compaction"]>;
}

export function run(changes: Partial<Compaction> = {}): Compaction {
  return {
    id: "r2",
    conversation_id: ID,
    operation_id: null,
    trigger: "manual",
    level: "light",
    state: "succeeded",
    stage: "",
    progress: 100,
    base_version: 2,
    version: 3,
    compacted_from: 0,
    compacted_through: 9,
    compacted_count: 10,
    tokens_before: 9000,
    tokens_after: 6500,
    preservation_ratio: 87,
    model: "offline",
    fallback_reason: "",
    error_code: "",
    error: "",
    retry_at: null,
    created_at: "2026-03-06T09:00:00Z",
    started_at: "2026-03-06T09:00:05Z",
    finished_at: "2026-03-06T09:00:07Z",
    ...changes,
  };
}

export const EMPTY: RollingSummary = {
  goals: [],
  decisions: [],
  requirements: [],
  current_plan: [],
  open_questions: [],
  definitions: {},
  references: [],
};

export function line(text: string, sources: string[] = []) {
  return { text, sources, corrected: false, reported: false };
}

const REFERENCE = { type: "id" as const, sources: [], corrected: false, reported: false };

export const ROLLING: RollingSummary = {
  ...EMPTY,
  goals: [line("Ship on Friday", ["m2"])],
  decisions: [{ ...line("Money is `bigint`", ["m3"]), reason: "JPY has no cents" }],
  definitions: {
    hold: { ...line("a booking without payment"), place: 1 },
    slot: { ...line("90 minutes"), place: 0 },
  },
  references: [{ ...REFERENCE, value: "ADR-014", note: "gapless numbers", corrected: true }],
};

export function summary(rolling: RollingSummary = ROLLING, version = 3): Summary {
  return {
    version,
    cause: version === 0 ? "" : "compaction",
    rolling_summary: rolling,
    summary_tokens: version === 0 ? 0 : 900,
    covers_through: 9,
    removed: [],
    dropped: {},
    created_at: "2026-03-06T09:00:07Z",
  };
}

export const ESTIMATOR = { name: "characters/4", factor: 1, calls: 0, fallback_from: "" };

export const SUMMARY_TEXT = "## Summary of the conversation so far\nGoals:\n- Ship on Friday";

export function layer(name: PackLayer["layer"], changes: Partial<PackLayer> = {}): PackLayer {
  const sizes = { content: 0, minimum: 0, ideal: 0, maximum: 0, granted: 0, used: 0 };
  return {
    layer: name,
    ...sizes,
    priority: 100,
    elasticity: 0,
    text: "",
    segments: [],
    memories: [],
    ...changes,
  };
}

/** A long conversation in a small budget: messages before the recent ones are summarized. */
export function compactedPack(metadata: Partial<Context["metadata"]> = {}): Context {
  const summaries = [
    { level: 2, first_index: 10, last_index: 109, tokens: 400 },
    { level: 1, first_index: 110, last_index: 129, tokens: 200 },
  ];
  const text = "## Before the messages that follow, in short\n[Messages 10–109]\nWe chose Redis.";
  const full = pack();
  return pack(
    {
      strategy: "compacted",
      coverage: { shown: 57, key: 12, summarized: 340, dropped: 3, compacted: 0 },
      tokens: { ...full.metadata.tokens, earlier: 800, total: 5760 },
      live_tokens: 40_000,
      ...metadata,
    },
    {
      layers: full.layers.map((one) =>
        one.layer === "L6_message_history"
          ? { ...one, content: 40_000, used: 4800, text, segments: summaries }
          : one,
      ),
    },
  );
}

export function pack(metadata: Partial<Context["metadata"]> = {}, changes: Partial<Context> = {}): Context {
  return {
    system_prompt: "Be brief.",
    user_memory: [{ id: "u1", type: "fact", key: "team", content: "Four people" }],
    pinned_memory: [{ id: "p1", category: "decision", content: "Never on Sundays", message_id: null }],
    rolling_summary: ROLLING,
    recent_messages: [38, 39].map((index) => ({
      id: `m${index}`,
      index,
      role: index % 2 === 0 ? "user" : "assistant",
      name: "",
      content: `Message number ${index}`,
      parts: [],
      tokens: 100,
      is_excerpt: false,
    })),
    retrieved: [],
    current_message: null,
    layers: [
      layer("L0_identity"),
      layer("L1_global_prefs", { content: 20, granted: 20, used: 20, priority: 95 }),
      layer("L2_topic", { priority: 70 }),
      layer("L4_conversation", { content: 900, granted: 900, used: 900, priority: 88, text: SUMMARY_TEXT }),
      layer("L6_message_history", { content: 4000, granted: 4000, used: 4000, priority: 80 }),
    ],
    ...changes,
    metadata: {
      conversation_id: ID,
      budget: 12_000,
      budget_source: "workspace",
      pack_tokens: 4960,
      free_tokens: 6_190,
      fill_percent: 48.4,
      tokens: {
        system: 10,
        identity: 0,
        user_memory: 20,
        preferences: 0,
        pinned_memory: 30,
        topics: 0,
        entities: 0,
        rolling_summary: 900,
        earlier: 0,
        recent_messages: 4000,
        just_in_time: 0,
        current_message: 0,
        total: 4960,
      },
      level: null,
      live_tokens: 4000,
      compactable_tokens: 3600,
      total_tokens: 6000,
      preservation_ratio: 82,
      summary_version: 3,
      compaction_count: 2,
      message_count: 40,
      live_count: 40,
      engine: "enabled",
      estimator: ESTIMATOR,
      strategy: "full",
      coverage: { shown: 40, key: 0, summarized: 0, dropped: 0, compacted: 0 },
      epoch: {
        number: 4,
        reasons: ["window_full"],
        began_at: "2026-03-06T16:50:00Z",
        is_new: false,
      },
      stability: { same: 4900, previous: 4960, share: 4900 / 4960 },
      not_due_reason: { code: "few_tokens", params: { count: 4000, needed: 8000 } },
      warnings: [],
      limits: LIMITS,
      omitted: OMITTED,
      ...metadata,
    },
  };
}

export const POLICY = {
  version: 1,
  installation: {},
  limits: { character_sizes: [[0, 25]] },
  overrides: {},
  effective: {
    auto_compact: true,
    engine_enabled: true,
    long_message_tokens: 2000,
    max_compaction_time_s: 30,
    max_compaction_tokens: 24_000,
    newest_message_count: 4,
    recent_message_count: 20,
    daily_token_ceiling: 0,
    daily_cost_ceiling_cents: 0,
    spend_warning_percent: 80,
    background_spend_percent: 90,
    model_calls_enabled: true,
  },
};

const FREES = { light: 1400, deep: 1600, aggressive: 1800 };

/** The answer to a dry run: twenty messages would be compacted. */
export async function planAnswer(request: Request, changes: Partial<CompactionPlan> = {}): Promise<Response> {
  const { level } = (await request.json()) as { level: Level };
  return Response.json(
    plan({ level, freed_tokens: FREES[level], summary_tokens_after: 2900 - FREES[level], ...changes }),
  );
}

export function plan(changes: Partial<CompactionPlan> = {}): CompactionPlan {
  return {
    level: "light",
    message_count: 20,
    compacted_from: 0,
    compacted_through: 19,
    complete: true,
    live_tokens_before: 4000,
    live_tokens_after: 2000,
    summary_tokens_before: 900,
    summary_tokens_after: 1500,
    freed_tokens: 1400,
    preservation_ratio_before: 100,
    preservation_ratio_after: 76,
    ...changes,
  };
}

export const OWN: ContextSettings = {
  version: 2,
  knowledge_depth: "standard",
  history_first: false,
  token_budget: null,
  remembers: true,
};
