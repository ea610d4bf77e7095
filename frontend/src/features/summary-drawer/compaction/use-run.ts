/**
 * The compaction that runs, waits or ran last. The socket tells of it; while the socket is away it is asked for, and so
 * is a run that was asked for here before the socket knows it.
 */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type Compaction, compactionQuery, refreshed, type RunState } from "@/api/compactions";
import { useConnection } from "@/events/live";
import type { View } from "@/events/reducer";

const POLL_MS = 1000;

export interface CurrentRun {
  id: string | null;
  /** All that is known of it; `null` until it was fetched. */
  detail: Compaction | null;
  state: RunState | null;
  isUnderway: boolean;
  stage: string;
  progress: number;
  /** Follow a run that was just asked for. */
  follow: (run: Compaction) => void;
}

export function useRun(id: string, view: View | null): CurrentRun {
  const [asked, setAsked] = useState<string | null>(null);
  const connection = useConnection();
  const mark = view?.state.compaction ?? null;
  const runId = asked !== null && (mark === null || mark.run_id < asked) ? asked : (mark?.run_id ?? null);
  const isTold = connection === "open" && mark?.run_id === runId;
  const { data } = useQuery({
    ...compactionQuery(id, runId ?? ""),
    enabled: runId !== null,
    refetchInterval: ({ state }) => (!isTold && isOpen(state.data?.state ?? null) ? POLL_MS : false),
  });
  const detail = data?.id === runId ? data : null;
  const state = (isTold ? mark.state : (detail?.state ?? mark?.state)) ?? null;
  useRefreshedAtTheEnd(id, state);
  const told = view?.stage?.runId === runId ? view.stage : null;
  const later = told !== null && told.progress >= (detail?.progress ?? 0) ? told : detail;
  return {
    id: runId,
    detail,
    state,
    isUnderway: isOpen(state),
    stage: state === "queued" ? "queued" : (later?.stage ?? "") || "reading",
    progress: state === "queued" ? 0 : (later?.progress ?? 0),
    follow: (run) => setAsked(run.id),
  };
}

function isOpen(state: RunState | null): boolean {
  return state === "queued" || state === "running";
}

function useRefreshedAtTheEnd(id: string, state: RunState | null): void {
  const client = useQueryClient();
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen(state)) void refreshed(client, id);
    wasOpen.current = isOpen(state);
  }, [client, id, state]);
}
