import { expect, test } from "vitest";
import { centsTyped, tokensTyped, writtenDollars, writtenTokens } from "./amounts";

test.each([
  ["", 0],
  ["100000", 100_000],
  ["100,000", 100_000],
  ["1 000", 1000],
  ["1.5", null],
  ["-1", null],
  ["many", null],
  ["9999999999999", null],
])("%j tokens are %j", (typed, tokens) => {
  expect(tokensTyped(typed)).toBe(tokens);
});

test.each([
  ["", 0],
  ["5", 500],
  ["$4.35", 435],
  ["0.1", 10],
  ["1,200.50", 120_050],
  ["1.234", null],
  [".", null],
])("%j dollars are %j cents", (typed, cents) => {
  expect(centsTyped(typed)).toBe(cents);
});

test("they are written as one would type them", () => {
  expect([writtenTokens(0), writtenTokens(1200)]).toEqual(["", "1200"]);
  expect([writtenDollars(0), writtenDollars(500), writtenDollars(435)]).toEqual(["", "5", "4.35"]);
});
