/** Errors of the API: responses with problem details, and a server that cannot be reached. */

import type { components } from "./schema";

export type ProblemDetails = components["schemas"]["Problem"];

export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Partial<ProblemDetails> & Record<string, unknown>;
  /** Seconds from the Retry-After header. */
  readonly retryAfter: number | null;

  constructor(status: number, details: Partial<ProblemDetails>, retryAfter: number | null = null) {
    super(details.detail ?? details.title ?? `The server answered ${status}.`);
    this.name = "Problem";
    this.status = status;
    this.code = details.code ?? `http_${status}`;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** There was no response: the network is down, or the server restarts. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The server does not answer.", { cause });
    this.name = "Unreachable";
  }
}

export function isProblem(error: unknown, code: string): boolean {
  return error instanceof Problem && error.code === code;
}

/** Validation errors by field name. */
export function fieldErrors(error: unknown): Record<string, string> {
  const errors = error instanceof Problem ? (error.details.errors ?? []) : [];
  return Object.fromEntries(errors.map(({ pointer, detail }) => [pointer.replace(/^\//, ""), detail]));
}

export async function problemOf(response: Response): Promise<Problem> {
  const details = (await response.json().catch(() => ({}))) as Partial<ProblemDetails>;
  return new Problem(response.status, details, retryAfter(response));
}

/** Parse Retry-After in seconds; the server never sends a date. */
export function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
