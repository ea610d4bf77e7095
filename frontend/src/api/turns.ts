/** Turns: something is said, and the reply comes piece by piece. */

import { api, csrfToken, reach, type Schemas, taken } from "./client";
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

/** Whoever reads may not read any more. */
export interface TurnRevoked {
  name: "revoked";
  data: { code: string; detail: string };
}

export type TurnEvent = TurnStarted | TurnDelta | TurnFinished | TurnRevoked;

/** Say something and follow the reply. With the same `external_id` a second time nothing is said twice. */
export function turn(
  id: string,
  body: Schemas["TurnRequest"],
  signal?: AbortSignal,
): AsyncGenerator<TurnEvent> {
  return followed("POST", `/api/conversations/${id}/turns`, signal, body);
}

/** Answer again after a reply that failed or was stopped. */
export function retriedTurn(id: string, signal?: AbortSignal): AsyncGenerator<TurnEvent> {
  return followed("POST", `/api/conversations/${id}/turns/retry`, signal, {});
}

/** Follow the reply that is being written, from its beginning. */
export function currentTurn(id: string, signal?: AbortSignal): AsyncGenerator<TurnEvent> {
  return followed("GET", `/api/conversations/${id}/turns/current`, signal);
}

export function stopTurn(id: string) {
  return taken(api.POST("/api/conversations/{conversation_id}/turns/stop", path(id)));
}

async function* followed(
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
  const response = await reach(new Request(url, init));
  if (!response.ok || response.body === null) throw await problemOf(response);
  yield* serverEvents(response.body) as AsyncGenerator<TurnEvent>;
}
