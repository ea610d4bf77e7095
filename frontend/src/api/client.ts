/** The REST API with its types; every call gives the data or throws a `Problem`. */

import createClient from "openapi-fetch";
import { Problem, type ProblemDetails, retryAfter, Unreachable } from "./problems";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

const SAFE = new Set(["GET", "HEAD"]);

export const api = createClient<paths>({ fetch: (request) => reach(request) });

api.use({
  onRequest({ request }) {
    if (!SAFE.has(request.method)) request.headers.set("X-CSRFToken", csrfToken());
    return request;
  },
});

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The data of an answer; `undefined` where the API answers with nothing. */
export async function taken<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok) {
    throw new Problem(response.status, error as Partial<ProblemDetails>, retryAfter(response));
  }
  return data as T;
}

/** The header by which a change names the version that it changes. */
export function ifMatch(version: number): { "If-Match": string } {
  return { "If-Match": `"${version}"` };
}

export function csrfToken(): string {
  return /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
}

export async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new Unreachable(error);
  }
}
