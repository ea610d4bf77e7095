/** The coverage of the active summary; undefined if there is none or while it loads. */

import { useQuery } from "@tanstack/react-query";
import { summaryQuery } from "@/api/summary";
import type { View } from "@/events/reducer";
import type { Coverage } from "./compaction-markers";

export function useCoverage(id: string, view: View | null): Coverage | undefined {
  const version = view?.state.summary.version ?? 0;
  return useQuery({ ...summaryQuery(id), enabled: version > 0 }).data;
}
