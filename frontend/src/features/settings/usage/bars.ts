/** The bars of the plot: for each day its parts from the ground up, as shares of the highest. */

import type { UsageDay } from "@/api/usage";

export type Measure = "tokens" | "cost";
export type BarPart = "input" | "cached" | "output" | "cost";

export interface Piece {
  part: BarPart;
  value: number;
  /** Where it begins and how high it is, of the whole height. */
  from: number;
  share: number;
}

export interface Bar {
  day: string;
  value: number;
  pieces: Piece[];
}

export interface Bars {
  bars: Bar[];
  highest: Bar | null;
  total: number;
}

/** `limit` has room too, where it is not far above everything else. */
export function barsOf(
  days: readonly UsageDay[],
  measure: Measure,
  limit: number | null,
): Bars & { top: number } {
  const values = days.map((day) => valueOf(day, measure));
  const most = Math.max(0, ...values);
  const top = Math.max(1, most, limit !== null && isNear(limit, most) ? limit : 0);
  const bars = days.map((day, place) => ({
    day: day.day,
    value: values[place] ?? 0,
    pieces: stacked(partsOf(day, measure), top),
  }));
  return {
    bars,
    top,
    highest: most === 0 ? null : (bars.find(({ value }) => value === most) ?? null),
    total: values.reduce((sum, value) => sum + value, 0),
  };
}

/** A limit far above would press all bars flat. */
export function isNear(limit: number, most: number): boolean {
  return limit <= 2 * most;
}

function valueOf(day: UsageDay, measure: Measure): number {
  return measure === "cost" ? day.cost_micros : day.tokens;
}

function partsOf(day: UsageDay, measure: Measure): [BarPart, number][] {
  if (measure === "cost") return [["cost", day.cost_micros]];
  return [
    ["input", day.input_tokens],
    ["cached", day.cache_read_tokens + day.cache_write_tokens],
    ["output", day.output_tokens],
  ];
}

function stacked(parts: [BarPart, number][], top: number): Piece[] {
  let from = 0;
  return parts
    .filter(([, value]) => value > 0)
    .map(([part, value]) => {
      const piece = { part, value, from, share: value / top };
      from += piece.share;
      return piece;
    });
}
