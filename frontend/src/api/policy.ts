/** The workspace's constants, of which the page needs a few. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "./client";

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
}

export const policyQuery = queryOptions({
  queryKey: ["policy"],
  queryFn: () => taken(api.GET("/api/policy")),
  staleTime: MINUTES_5,
});

export function effective(policy: Schemas["Policy"]): Policy {
  return policy.effective as unknown as Policy;
}

/** Who says how large a pack may be; what the workspace does not say holds in the whole installation. */
export function budgetFrom(
  source: Schemas["BudgetSourceEnum"],
  policy: Schemas["Policy"],
): Schemas["BudgetSourceEnum"] | "installation" {
  const isOwn = source !== "workspace" || "default_token_budget" in policy.overrides;
  return isOwn ? source : "installation";
}
