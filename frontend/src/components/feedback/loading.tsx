/** Nothing for 200 ms, then a quiet sign, after ten seconds a sentence. */

import { Loader } from "@mantine/core";
import { useEffect, useState } from "react";
import { texts } from "@/texts";
import classes from "./loading.module.css";

const QUIET_MS = 200;
const LONG_MS = 10_000;

export function Loading({ label = texts.common.loading }: { label?: string }) {
  const waited = useWaited();
  if (waited < QUIET_MS) return null;
  return (
    <div className={classes.loading} role="status" aria-label={label}>
      <Loader size="sm" color="var(--ink-3)" />
      {waited >= LONG_MS && <p>{texts.common.stillLoading}</p>}
    </div>
  );
}

function useWaited(): number {
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    const timers = [QUIET_MS, LONG_MS].map((ms) => setTimeout(() => setWaited(ms), ms));
    return () => timers.forEach(clearTimeout);
  }, []);
  return waited;
}
