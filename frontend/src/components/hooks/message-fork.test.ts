import { expect, test } from "vitest";
import { forkTitle } from "./message-fork";

test.each([
  ["a fork is told apart by a number", "Plans", [], "Plans (2)"],
  ["a fork of a fork has the next one", "Plans (2)", ["Plans"], "Plans (3)"],
  ["a second fork of the same chat too", "Plans", ["Plans", "Plans (2)", "Other (7)"], "Plans (3)"],
  ["a year is no such number", "Report (2025)", [], "Report (2025) (2)"],
  ["what has no title gets none", "", [], ""],
  ["a long title makes room", "x".repeat(200), [], `${"x".repeat(196)} (2)`],
])("%s", (_, title, known, fork) => expect(forkTitle(title, known)).toBe(fork));
