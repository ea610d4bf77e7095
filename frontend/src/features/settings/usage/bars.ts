/** Compute the stacked bars of the usage plot. */

import type { UsageDay } from "@/api/usage";

export type Measure = "tokens" | "cost";
export type BarPart = "input" | "cached" | "output" | "cost";

export interface BarSegment {
  part: BarPart;
  value: number;
  /** The offset and height as fractions of the plot. */
  from: number;
  share: number;
}

export interface Bar {
  day: string;
  value: number;
  segments: BarSegment[];
}

export interface Bars {
  bars: Bar[];
  highest: Bar | null;
  total: number;
}

/** The scale includes `limit` if it is in range. */
export function barsOf(
  days: readonly UsageDay[],
  measure: Measure,
  limit: number | null,
): Bars & { top: number } {
  const values = days.map((day) => valueOf(day, measure));
  const maximum = Math.max(0, ...values);
  const top = Math.max(1, maximum, limit !== null && isInRange(limit, maximum) ? limit : 0);
  const bars = days.map((day, index) => ({
    day: day.day,
    value: values[index] ?? 0,
    segments: stack(partsOf(day, measure), top),
  }));
  return {
    bars,
    top,
    highest: maximum === 0 ? null : (bars.find(({ value }) => value === maximum) ?? null),
    total: values.reduce((sum, value) => sum + value, 0),
  };
}

/** A limit far above the values would flatten all bars. */
export function isInRange(limit: number, maximum: number): boolean {
  return limit <= 2 * maximum;
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

function stack(parts: [BarPart, number][], top: number): BarSegment[] {
  let from = 0;
  return parts
    .filter(([, value]) => value > 0)
    .map(([part, value]) => {
      const segment = { part, value, from, share: value / top };
      from += segment.share;
      return segment;
    });
}
