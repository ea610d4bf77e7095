/** What a failed attempt makes of a message: it waits, as long as the server says, or it is refused for good. */

import type { QueryClient } from "@tanstack/react-query";
import { Problem } from "@/api/problems";
import { sessionEnd } from "@/api/session";
import { problemWords } from "@/components/feedback/toast";
import { change, type Delay, type Waiting } from "@/lib/outbox";

const TRY_AGAIN_MS = 5000;
const BUSY = new Set([429, 502, 503, 504]);

export function setBack(client: QueryClient, box: string, { externalId }: Waiting, error: unknown): void {
  change(box, externalId, setback(error));
  if (error instanceof Problem && error.status === 401) sessionEnd(client);
}

/** Whatever is no answer of the server is a lack of connection. */
function setback(error: unknown): Partial<Waiting> {
  if (!(error instanceof Problem)) return heldUp("connection");
  if (error.status === 401) return heldUp("session");
  if (BUSY.has(error.status)) return heldUp("busy", error.retryAfter);
  if (error.code === "turn_running") return heldUp("turn");
  return { refused: problemWords(error) };
}

function heldUp(delay: Delay, seconds: number | null = null): Partial<Waiting> {
  return { delay, notBefore: Date.now() + (seconds === null ? TRY_AGAIN_MS : seconds * 1000) };
}
