/** Model usage and cost by day, purpose and model, and today's budget status. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { keys } from "./keys";

export type Usage = Schemas["UsageOverview"];
export type UsageToday = Schemas["Today"];
export type UsageDay = Schemas["DayUsage"];
export type UsageSums = Omit<UsageDay, "day">;
export type PurposeUsage = Schemas["PurposeUsage"];
export type ModelUsage = Schemas["ModelUsage"];
export type SpendState = UsageToday["state"];

/** The last `days` UTC days, including today. */
export function usageQuery(days: number) {
  return queryOptions({
    queryKey: [...keys.usage, days],
    queryFn: () => unwrap(api.GET("/api/usage", { params: { query: { days } } })),
    placeholderData: keepPreviousData,
  });
}
