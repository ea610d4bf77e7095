/** The typed REST client. Every call returns the data or throws a `Problem`. */

import createClient from "openapi-fetch";
import { Problem, type ProblemDetails, retryAfter, Unreachable } from "./problems";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

const SAFE = new Set(["GET", "HEAD"]);

export const api = createClient<paths>({ fetch: (request) => fetchFromServer(request) });

api.use({
  onRequest({ request }) {
    if (!SAFE.has(request.method)) request.headers.set("X-CSRFToken", csrfToken());
    return request;
  },
});

interface ApiResponse<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Return the data of a response, `undefined` if it has no body, or throw a `Problem`. */
export async function unwrap<T>(answer: Promise<ApiResponse<T>>): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok) {
    throw new Problem(response.status, error as Partial<ProblemDetails>, retryAfter(response));
  }
  return data as T;
}

/** The header for optimistic concurrency: the version that the change is based on. */
export function ifMatch(version: number): { "If-Match": string } {
  return { "If-Match": `"${version}"` };
}

export function csrfToken(): string {
  return cookie("csrftoken");
}

/** The server sets this cookie for as long as the session lasts; scripts cannot read the session's own. */
export function hasSession(): boolean {
  return cookie("signed_in") !== "";
}

function cookie(name: string): string {
  return new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1] ?? "";
}

export async function fetchFromServer(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new Unreachable(error);
  }
}
