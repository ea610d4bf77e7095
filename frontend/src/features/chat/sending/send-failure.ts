/** Record a failed attempt: the message waits for a retry or is rejected permanently. */

import type { QueryClient } from "@tanstack/react-query";
import { Problem } from "@/api/problems";
import { endSession } from "@/api/session";
import { problemMessage } from "@/components/feedback/toast";
import { updateUnsent, type Delay, type UnsentMessage } from "@/lib/outbox";

const RETRY_MS = 5000;
const BUSY = new Set([429, 502, 503, 504]);

export function recordFailure(
  client: QueryClient,
  box: string,
  { externalId }: UnsentMessage,
  error: unknown,
): void {
  updateUnsent(box, externalId, failureState(error));
  if (error instanceof Problem && error.status === 401) endSession(client);
}

/** Any error that is not a response counts as a lost connection. */
function failureState(error: unknown): Partial<UnsentMessage> {
  if (!(error instanceof Problem)) return delayed("connection");
  if (error.status === 401) return delayed("session");
  if (BUSY.has(error.status)) return delayed("busy", error.retryAfter);
  if (error.code === "turn_running") return delayed("turn");
  return { refused: problemMessage(error) };
}

function delayed(delay: Delay, seconds: number | null = null): Partial<UnsentMessage> {
  return { delay, notBefore: Date.now() + (seconds === null ? RETRY_MS : seconds * 1000) };
}
