import { expect, test } from "vitest";
import { day } from "../testing/samples";
import { barsOf } from "./bars";

const DAYS = [
  day("2026-11-19"),
  day("2026-11-20", { input_tokens: 50, tokens: 50, cost_micros: 30 }),
  day("2026-11-21", {
    input_tokens: 60,
    cache_read_tokens: 10,
    cache_write_tokens: 10,
    output_tokens: 20,
    tokens: 100,
    cost_micros: 20,
  }),
];

test("the segments of a day are stacked in proportion to the highest day", () => {
  const { bars, highest, total } = barsOf(DAYS, "tokens", null);
  expect(bars.map(({ segments }) => segments.map(({ part, share }) => [part, share]))).toEqual([
    [],
    [["input", 0.5]],
    [
      ["input", 0.6],
      ["cached", 0.2],
      ["output", 0.2],
    ],
  ]);
  expect(bars[2]?.segments.at(-1)?.from).toBeCloseTo(0.8);
  expect([highest?.day, total]).toEqual(["2026-11-21", 150]);
});

test("cost has one segment", () => {
  const { bars, highest } = barsOf(DAYS, "cost", null);
  expect(bars[1]?.segments).toEqual([{ part: "cost", value: 30, from: 0, share: 1 }]);
  expect(highest?.day).toBe("2026-11-20");
});

test("a limit is shown unless it would flatten all bars", () => {
  expect(barsOf(DAYS, "tokens", 200).top).toBe(200);
  expect(barsOf(DAYS, "tokens", 10_000).top).toBe(100);
});

test("without usage no day is the highest", () => {
  expect(barsOf([day("2026-11-21")], "tokens", null)).toMatchObject({ highest: null, total: 0 });
});
