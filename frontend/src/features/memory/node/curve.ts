/** How relevant a memory was and will be if nobody asks for it, by the server's rule. */

import type { MemoryNode } from "@/api/memories";

const DAY_MS = 86_400_000;
const MOST_BEFORE = 180;
const AHEAD = 180;
const POINTS = 48;

export interface Point {
  /** Days from now; before now they are negative. */
  day: number;
  relevance: number;
}

export interface Curve {
  /** Days since it was used last, or since the fact. */
  age: number;
  /** From the last use on, as far as it is shown; the first is the start. */
  before: Point[];
  ahead: Point[];
  now: number;
  later: number;
}

type Fading = Pick<MemoryNode, "base_relevance" | "last_access" | "occurred_at" | "decay">;

export function relevanceAfter({ base_relevance, decay }: Fading, days: number): number {
  if (decay.exempt) return 1;
  const halves = Math.max(0, days) / decay.half_life_days;
  return Math.min(1, Math.max(decay.floor, base_relevance * 0.5 ** halves));
}

export function curveOf(node: Fading, now: number): Curve {
  const age = Math.max(0, (now - Date.parse(node.last_access ?? node.occurred_at)) / DAY_MS);
  const at = (day: number): Point => ({ day, relevance: relevanceAfter(node, age + day) });
  const start = -Math.min(age, MOST_BEFORE);
  const between = (from: number, to: number) =>
    Array.from({ length: POINTS + 1 }, (_, place) => at(from + ((to - from) * place) / POINTS));
  return {
    age,
    before: start === 0 ? [at(0)] : between(start, 0),
    ahead: between(0, AHEAD),
    now: at(0).relevance,
    later: at(AHEAD).relevance,
  };
}

/** The day that lies so many days from now. */
export function dayFrom(now: number, day: number): string {
  return new Date(now + day * DAY_MS).toISOString();
}
