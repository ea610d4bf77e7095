/** How long a run and its steps take, as seen from here. */

import { useEffect, useState } from "react";
import type { StageName } from "./stages";

const TICK_MS = 200;

/** Milliseconds now, again and again while something is shown that takes time. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

type Times = Partial<Record<StageName, number>>;

/** When each step of a run was first seen. */
export function useStageTimes(runId: string, stage: StageName, now: number): Times {
  const [seen, setSeen] = useState<{ runId: string; times: Times }>(() => ({
    runId,
    times: { [stage]: now },
  }));
  if (seen.runId !== runId) setSeen({ runId, times: { [stage]: now } });
  else if (!(stage in seen.times)) setSeen({ runId, times: { ...seen.times, [stage]: now } });
  return seen.times;
}
