/** Preview a compaction at a level; `null` while loading and without write access. */

import { useQuery } from "@tanstack/react-query";
import { type CompactionPlan, type Level, planQuery } from "@/api/compactions";
import { contextQuery } from "@/api/context";
import { useDrawer } from "../drawer-context";

export function usePlan(level: Level): CompactionPlan | null {
  const { id, view, canWrite } = useDrawer();
  const { data: pack } = useQuery(contextQuery(id));
  const basis = view === null ? [] : [view.state.counts.live_tokens, view.state.summary.version];
  const enabled = canWrite && view !== null && pack?.metadata.engine === "enabled";
  const { data } = useQuery({ ...planQuery(id, level, basis), enabled });
  return enabled && data !== undefined ? data : null;
}
