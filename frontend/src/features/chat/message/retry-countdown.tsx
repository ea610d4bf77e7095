/** Seconds until the next attempt. */

import { useEffect, useState } from "react";
import type { UnsentMessage } from "@/lib/outbox";
import { texts } from "@/texts";

const SECOND_MS = 1000;

export function RetryCountdown({ waiting }: { waiting: readonly UnsentMessage[] }) {
  const [now, setNow] = useState(() => Date.now());
  const times = waiting.filter((one) => one.refused === "").map((one) => one.notBefore);
  const next = Math.min(...times);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((next - now) / SECOND_MS);
  if (!Number.isFinite(seconds) || seconds <= 0) return null;
  return <span aria-hidden="true">{texts.chat.nextTry(seconds)}</span>;
}
