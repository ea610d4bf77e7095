/** The durations of a run and its stages, measured in the browser. */

import { useEffect, useState } from "react";
import type { StageName } from "./stages";

const TICK_MS = 200;

/** The current time in milliseconds, updated every tick. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

type Times = Partial<Record<StageName, number>>;

/** When each stage of a run was first seen. */
export function useStageTimes(runId: string, stage: StageName, now: number): Times {
  const [started, setStarted] = useState<{ runId: string; times: Times }>(() => ({
    runId,
    times: { [stage]: now },
  }));
  if (started.runId !== runId) setStarted({ runId, times: { [stage]: now } });
  else if (!(stage in started.times)) setStarted({ runId, times: { ...started.times, [stage]: now } });
  return started.times;
}
