/** The workspace's constants, of which the page needs a few. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, taken } from "./client";
import { keys } from "./keys";

const MINUTES_5 = 300_000;

/** Those that hold, as far as the page goes by them. */
export interface Policy {
  auto_compact: boolean;
  engine_enabled: boolean;
  long_message_tokens: number;
  max_compaction_time_s: number;
  max_fold_tokens: number;
  newest_message_count: number;
  recent_message_count: number;
  daily_token_ceiling: number;
  daily_cost_ceiling_cents: number;
  spend_warning_percent: number;
  background_spend_percent: number;
  model_calls_enabled: boolean;
}

export type Category = Schemas["Category"];
export type MessageLimits = Schemas["MessageLimits"];

/** `null` takes a constant back to what the installation says. */
export type PolicyChanges = { [Name in keyof Policy]?: Policy[Name] | null };

export const policyQuery = queryOptions({
  queryKey: keys.policy,
  queryFn: () => taken(api.GET("/api/policy")),
  staleTime: MINUTES_5,
});

export function effective(policy: Schemas["Policy"]): Policy {
  return policy.effective as unknown as Policy;
}

/** What holds where the workspace says nothing. */
export function installed(policy: Schemas["Policy"]): Policy {
  return policy.installation as unknown as Policy;
}

/** By it packs are built, compactions come, and models are asked or not. */
export function useChangePolicy() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ version, overrides }: { version: number; overrides: PolicyChanges }) =>
      taken(api.PATCH("/api/policy", { params: { header: ifMatch(version) }, body: { overrides } })),
    onSuccess: (policy) => client.setQueryData(policyQuery.queryKey, policy),
    onSettled: () =>
      Promise.all(
        [keys.policy, keys.usage, keys.me].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

/** Who says how large a pack may be; what the workspace does not say holds in the whole installation. */
export function budgetFrom(
  source: Schemas["BudgetSourceEnum"],
  policy: Schemas["Policy"],
): Schemas["BudgetSourceEnum"] | "installation" {
  const isOwn = source !== "workspace" || "default_token_budget" in policy.overrides;
  return isOwn ? source : "installation";
}
