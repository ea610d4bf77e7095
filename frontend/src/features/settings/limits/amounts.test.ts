import { expect, test } from "vitest";
import { parseCents, parseTokens, formatDollars, formatTokens } from "./amounts";

test.each([
  ["", 0],
  ["100000", 100_000],
  ["100,000", 100_000],
  ["1 000", 1000],
  ["1.5", null],
  ["-1", null],
  ["many", null],
  ["9999999999999", null],
])("%j is parsed as %j tokens", (typed, tokens) => {
  expect(parseTokens(typed)).toBe(tokens);
});

test.each([
  ["", 0],
  ["5", 500],
  ["$4.35", 435],
  ["0.1", 10],
  ["1,200.50", 120_050],
  ["1.234", null],
  [".", null],
])("%j dollars is parsed as %j cents", (typed, cents) => {
  expect(parseCents(typed)).toBe(cents);
});

test("amounts are formatted as one would type them", () => {
  expect([formatTokens(0), formatTokens(1200)]).toEqual(["", "1200"]);
  expect([formatDollars(0), formatDollars(500), formatDollars(435)]).toEqual(["", "5", "4.35"]);
});
