/** A loading indicator: nothing for 200 ms, then a spinner, after ten seconds a sentence. */

import { Loader } from "@mantine/core";
import { useEffect, useState } from "react";
import { texts } from "@/texts";
import classes from "./loading.module.css";

const DELAY_MS = 200;
const LONG_MS = 10_000;

export function Loading({ label = texts.common.loading }: { label?: string }) {
  const elapsed = useElapsed();
  if (elapsed < DELAY_MS) return null;
  return (
    <div className={classes.loading} role="status" aria-label={label}>
      <Loader size="sm" color="var(--ink-3)" />
      {elapsed >= LONG_MS && <p>{texts.common.stillLoading}</p>}
    </div>
  );
}

function useElapsed(): number {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    const timers = [DELAY_MS, LONG_MS].map((ms) => setTimeout(() => setElapsed(ms), ms));
    return () => timers.forEach(clearTimeout);
  }, []);
  return elapsed;
}
