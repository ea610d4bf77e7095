/** The workspace's policy constants, as far as the web app needs them. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, unwrap } from "./client";
import { keys } from "./keys";

const MINUTES_5 = 300_000;

/** The effective constants that the web app uses. */
export interface Policy {
  auto_compact: boolean;
  engine_enabled: boolean;
  long_message_tokens: number;
  max_compaction_time_s: number;
  max_compaction_tokens: number;
  newest_message_count: number;
  recent_message_count: number;
  daily_token_ceiling: number;
  daily_cost_ceiling_cents: number;
  spend_warning_percent: number;
  background_spend_percent: number;
  model_calls_enabled: boolean;
  memory_mode: "trusted" | "confident" | "nothing";
  extraction_enabled: boolean;
  past_chats_enabled: boolean;
}

export type Category = Schemas["Category"];
export type MessageLimits = Schemas["MessageLimits"];

/** `null` resets a constant to the installation's default. */
export type PolicyChanges = { [Name in keyof Policy]?: Policy[Name] | null };

export const policyQuery = queryOptions({
  queryKey: keys.policy,
  queryFn: () => unwrap(api.GET("/api/policy")),
  staleTime: MINUTES_5,
});

export function effective(policy: Schemas["Policy"]): Policy {
  return policy.effective as unknown as Policy;
}

/** The values that apply where the workspace has no override. */
export function installationDefaults(policy: Schemas["Policy"]): Policy {
  return policy.installation as unknown as Policy;
}

/** Change the policy and refetch what depends on it. */
export function useChangePolicy() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ version, overrides }: { version: number; overrides: PolicyChanges }) =>
      unwrap(api.PATCH("/api/policy", { params: { header: ifMatch(version) }, body: { overrides } })),
    // A first fetch that is still running would not be started again, and shows the old limits.
    onMutate: () => client.cancelQueries({ queryKey: keys.usage }),
    onSuccess: (policy) => client.setQueryData(policyQuery.queryKey, policy),
    onSettled: () =>
      Promise.all(
        [keys.policy, keys.usage, keys.me].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

/** The source of a pack's budget; a workspace without an override uses the installation's. */
export function budgetFrom(
  source: Schemas["BudgetSourceEnum"],
  policy: Schemas["Policy"],
): Schemas["BudgetSourceEnum"] | "installation" {
  const isOwn = source !== "workspace" || "default_token_budget" in policy.overrides;
  return isOwn ? source : "installation";
}
