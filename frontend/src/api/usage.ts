/** What models took and cost, by day, purpose and model, and how the workspace stands with its limits of today. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "./client";
import { keys } from "./keys";

export type Usage = Schemas["UsageOverview"];
export type UsageToday = Schemas["Today"];
export type UsageDay = Schemas["DayUsage"];
export type UsageSums = Omit<UsageDay, "day">;
export type PurposeUsage = Schemas["PurposeUsage"];
export type ModelUsage = Schemas["ModelUsage"];
export type SpendState = UsageToday["state"];

/** The days of UTC up to today. */
export function usageQuery(days: number) {
  return queryOptions({
    queryKey: [...keys.usage, days],
    queryFn: () => taken(api.GET("/api/usage", { params: { query: { days } } })),
    placeholderData: keepPreviousData,
  });
}
