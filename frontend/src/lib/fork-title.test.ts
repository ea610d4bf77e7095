import { expect, test } from "vitest";
import { forkTitle, titleParts } from "./fork-title";

test.each([
  ["a fork gets a number", "Plans", [], "Plans (2)"],
  ["a fork of a fork gets the next number", "Plans (2)", ["Plans"], "Plans (3)"],
  [
    "a second fork of the same chat gets the next number too",
    "Plans",
    ["Plans", "Plans (2)", "Other (7)"],
    "Plans (3)",
  ],
  ["a year is not such a number", "Report (2025)", [], "Report (2025) (2)"],
  ["a fork of an untitled chat has no title", "", [], ""],
  ["a long title is truncated to fit the number", "x".repeat(200), [], `${"x".repeat(196)} (2)`],
])("%s", (_, title, existing, fork) => expect(forkTitle(title, existing)).toBe(fork));

test.each([
  ["Plans (2)", ["Plans", "(2)"]],
  ["Plans", ["Plans", ""]],
  ["Report (2025)", ["Report (2025)", ""]],
])("%s is split at its number", (title, parts) => expect(titleParts(title)).toEqual(parts));
