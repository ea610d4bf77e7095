/** In how many seconds it is tried again. */

import { useEffect, useState } from "react";
import type { Waiting } from "@/lib/outbox";
import { texts } from "@/texts";

const SECOND_MS = 1000;

export function NextTry({ waiting }: { waiting: readonly Waiting[] }) {
  const [now, setNow] = useState(() => Date.now());
  const moments = waiting.filter((one) => one.refused === "").map((one) => one.notBefore);
  const next = Math.min(...moments);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((next - now) / SECOND_MS);
  if (!Number.isFinite(seconds) || seconds <= 0) return null;
  return <span aria-hidden="true">{texts.chat.nextTry(seconds)}</span>;
}
