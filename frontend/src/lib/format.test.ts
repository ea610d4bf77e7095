import { expect, test } from "vitest";
import { money, utcDay } from "./format";

test.each([
  [0, "$0.00"],
  [1_840_000, "$1.84"],
  [1_234_567_890, "$1,234.57"],
  [4200, "$0.0042"],
  [99_400, "$0.099"],
])("%d micro-dollars are formatted as %s", (micros, written) => {
  expect(money(micros)).toBe(written);
});

test("a UTC day stays the same day in every time zone", () => {
  expect(utcDay("2026-11-21")).toBe("Nov 21, 2026");
});
