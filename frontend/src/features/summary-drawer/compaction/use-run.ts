/**
 * The current or last compaction run, from the socket. It is polled while the socket is disconnected, or before the
 * socket reports a run that was requested here.
 */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type Compaction, compactionQuery, invalidateConversation, type RunState } from "@/api/compactions";
import { useConnection } from "@/events/live";
import type { View } from "@/events/reducer";
import { stageOf } from "../run-progress";

const POLL_MS = 1000;

export interface CurrentRun {
  id: string | null;
  /** The full run; `null` until it is loaded. */
  detail: Compaction | null;
  state: RunState | null;
  isUnderway: boolean;
  stage: string;
  progress: number;
  /** Follow a run that was just requested. */
  follow: (run: Compaction) => void;
}

export function useRun(id: string, view: View | null): CurrentRun {
  const [requestedId, setRequestedId] = useState<string | null>(null);
  const connection = useConnection();
  const live = view?.state.compaction ?? null;
  const runId =
    requestedId !== null && (live === null || live.run_id < requestedId)
      ? requestedId
      : (live?.run_id ?? null);
  const isLive = connection === "open" && live?.run_id === runId;
  const isOutdated = (fetched: RunState | null): boolean =>
    isLive ? fetched !== null && isActive(fetched) && !isActive(live.state) : isActive(fetched);
  const { data } = useQuery({
    ...compactionQuery(id, runId ?? ""),
    enabled: runId !== null,
    refetchInterval: ({ state: { data } }) => (isOutdated(data?.state ?? null) ? POLL_MS : false),
  });
  // A run that was fetched while it was active knows nothing of its result.
  const detail = data?.id === runId && !(isLive && isOutdated(data.state)) ? data : null;
  const state = (isLive ? live.state : (detail?.state ?? live?.state)) ?? null;
  useInvalidateWhenFinished(id, state);
  const liveStage = stageOf(view, runId);
  const furthest = liveStage !== null && liveStage.progress >= (detail?.progress ?? 0) ? liveStage : detail;
  return {
    id: runId,
    detail,
    state,
    isUnderway: isActive(state),
    stage: state === "queued" ? "queued" : (furthest?.stage ?? "") || "reading",
    progress: state === "queued" ? 0 : (furthest?.progress ?? 0),
    follow: (run) => setRequestedId(run.id),
  };
}

function isActive(state: RunState | null): boolean {
  return state === "queued" || state === "running";
}

function useInvalidateWhenFinished(id: string, state: RunState | null): void {
  const client = useQueryClient();
  const wasActive = useRef(false);
  useEffect(() => {
    if (wasActive.current && !isActive(state)) void invalidateConversation(client, id);
    wasActive.current = isActive(state);
  }, [client, id, state]);
}
