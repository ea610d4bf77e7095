/** One form for everything that the server refuses, and for a server that does not answer. */

import type { components } from "./schema";

export type ProblemDetails = components["schemas"]["Problem"];

export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Partial<ProblemDetails> & Record<string, unknown>;
  /** Seconds to wait, where the server says so. */
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

/** Nobody answered: the network is away, or the server restarts. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The server does not answer.", { cause });
    this.name = "Unreachable";
  }
}

export function isProblem(error: unknown, code: string): boolean {
  return error instanceof Problem && error.code === code;
}

/** What was wrong with single fields of a body, by their names. */
export function fieldErrors(error: unknown): Record<string, string> {
  const errors = error instanceof Problem ? (error.details.errors ?? []) : [];
  return Object.fromEntries(errors.map(({ pointer, detail }) => [pointer.replace(/^\//, ""), detail]));
}

export async function problemOf(response: Response): Promise<Problem> {
  const details = (await response.json().catch(() => ({}))) as Partial<ProblemDetails>;
  return new Problem(response.status, details, retryAfter(response));
}

/** Seconds; a date is not among what the server sends. */
export function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
