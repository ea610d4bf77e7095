/** Sample models, usage and policy in the API's format. */

import type { ContextSettings } from "@/api/context-settings";
import type { ProviderStatus, Models } from "@/api/models";
import type { Usage, UsageDay, UsageToday } from "@/api/usage";

export function provider(changes: Partial<ProviderStatus> = {}): ProviderStatus {
  return {
    backend: "openai",
    label: "OpenAI",
    takes_key: true,
    takes_address: false,
    state: "no_key",
    detail: "No key is known for OpenAI.",
    base_url: "",
    key: null,
    models: [],
    ...changes,
  };
}

export const READY = provider({
  backend: "anthropic",
  label: "Anthropic",
  state: "ready",
  detail: "It accepts the key.",
  base_url: "https://api.anthropic.com",
  key: { last_four: "9f3a", source: "workspace", tested_at: "2026-11-20T10:00:00Z" },
  models: ["claude-large", "claude-small"],
});

export function models(changes: Partial<Models> = {}): Models {
  return {
    version: 4,
    backend: null,
    by_purpose: { chat: null, compaction: "claude-small", extraction: null, merge: null, intent: null },
    local_allowed: true,
    chosen: [
      {
        purpose: "chat",
        backend: "anthropic",
        label: "Anthropic",
        model: "claude-large",
        configured: true,
        reason: "Anthropic is the first available provider.",
        refused: "",
      },
      {
        purpose: "compaction",
        backend: "offline",
        label: "None",
        model: "offline",
        configured: false,
        reason: "The environment selects Ollama, which is unreachable.",
        refused: "",
      },
    ],
    providers: [READY, provider()],
    ...changes,
  };
}

export function day(isoDay: string, changes: Partial<UsageDay> = {}): UsageDay {
  return {
    day: isoDay,
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    tokens: 0,
    cost_micros: 0,
    calls: 0,
    failed: 0,
    ...changes,
  };
}

export function today(changes: Partial<UsageToday> = {}): UsageToday {
  return {
    day: "2026-11-21",
    tokens: 4200,
    cost_micros: 1_840_000,
    token_ceiling: null,
    cost_ceiling_micros: null,
    warning_percent: 80,
    background_percent: 90,
    state: "open",
    detail: "",
    without_model: "",
    resets_at: "2026-11-22T00:00:00Z",
    ...changes,
  };
}

const BUSY = {
  input_tokens: 3000,
  cache_read_tokens: 800,
  output_tokens: 400,
  tokens: 4200,
  cost_micros: 1_840_000,
  calls: 7,
  failed: 1,
};

const SUMS = { ...BUSY, cache_write_tokens: 0 };

export function usage(changes: Partial<Usage> = {}): Usage {
  return {
    today: today(),
    days: [day("2026-11-20"), day("2026-11-21", BUSY)],
    by_purpose: [
      { purpose: "chat", ...SUMS },
      { purpose: "embedding", ...SUMS },
    ],
    by_model: [
      {
        provider: "anthropic",
        provider_label: "Anthropic",
        model: "claude-large",
        ...SUMS,
        estimated_calls: 2,
        unpriced_calls: 0,
      },
      {
        provider: "compatible",
        provider_label: "OpenAI-compatible",
        model: "house-model",
        ...SUMS,
        cost_micros: 0,
        estimated_calls: 0,
        unpriced_calls: 7,
      },
    ],
    prices_as_of: "2026-11-01",
    unpriced_calls: 7,
    ...changes,
  };
}

const CONSTANTS = {
  daily_token_ceiling: 0,
  daily_cost_ceiling_cents: 0,
  spend_warning_percent: 80,
  background_spend_percent: 90,
  model_calls_enabled: true,
  memory_mode: "trusted",
  extraction_enabled: true,
  past_chats_enabled: true,
};

/** Overrides of the workspace on top of the installation's values. */
export function policy(own: Partial<typeof CONSTANTS> = {}, installation: Partial<typeof CONSTANTS> = {}) {
  const installed = { ...CONSTANTS, ...installation };
  return { version: 3, installation: installed, overrides: own, effective: { ...installed, ...own } };
}

export const OWN_SETTINGS: ContextSettings = {
  version: 2,
  knowledge_depth: "standard",
  history_first: false,
  token_budget: null,
  remembers: true,
};
