/** Turns: send a message and stream the reply. */

import { api, csrfToken, fetchFromServer, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import type { Message } from "./messages";
import { problemOf } from "./problems";
import { serverEvents } from "@/lib/sse";

export interface TurnStarted {
  name: "started";
  data: { message: Message; reply: { id: string; index: number } };
}

export interface TurnDelta {
  name: "delta";
  data: { text: string };
}

export interface TurnFinished {
  name: "finished";
  data: { reply: { id: string; index: number; status: Message["status"]; error_code: string } };
}

/** The reader lost access to the conversation. */
export interface TurnRevoked {
  name: "revoked";
  data: { code: string; detail: string };
}

export type TurnEvent = TurnStarted | TurnDelta | TurnFinished | TurnRevoked;

/** Send a message and stream the reply. A repeated `external_id` is an idempotent replay. */
export function startTurn(
  id: string,
  body: Schemas["TurnRequest"],
  signal?: AbortSignal,
): AsyncGenerator<TurnEvent> {
  return streamTurn("POST", `/api/conversations/${id}/turns`, signal, body);
}

/** Write the reply again after it failed or was stopped. */
export function retryTurn(id: string, signal?: AbortSignal): AsyncGenerator<TurnEvent> {
  return streamTurn("POST", `/api/conversations/${id}/turns/retry`, signal, {});
}

/** Stream the reply that is being written, from its beginning. */
export function followCurrentTurn(id: string, signal?: AbortSignal): AsyncGenerator<TurnEvent> {
  return streamTurn("GET", `/api/conversations/${id}/turns/current`, signal);
}

export function stopTurn(id: string) {
  return unwrap(api.POST("/api/conversations/{conversation_id}/turns/stop", path(id)));
}

async function* streamTurn(
  method: "GET" | "POST",
  url: string,
  signal: AbortSignal | undefined,
  body?: object,
): AsyncGenerator<TurnEvent> {
  const headers: Record<string, string> = {
    "Accept": "text/event-stream, application/json",
    "X-CSRFToken": csrfToken(),
  };
  const init: RequestInit = { method, headers, signal: signal ?? null };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  const response = await fetchFromServer(new Request(url, init));
  if (!response.ok || response.body === null) throw await problemOf(response);
  yield* serverEvents(response.body) as AsyncGenerator<TurnEvent>;
}
