import { expect, test } from "vitest";
import { ago } from "./ago";

const NOW = Date.parse("2026-11-25T12:00:00Z");

test.each([
  ["2026-11-25T12:00:30Z", "just now"],
  ["2026-11-25T11:59:55Z", "just now"],
  ["2026-11-25T11:59:20Z", "40 seconds ago"],
  ["2026-11-25T11:59:00Z", "1 minute ago"],
  ["2026-11-25T10:01:00Z", "1 hour ago"],
  ["2026-11-24T11:00:00Z", "yesterday"],
  ["2026-11-20T11:00:00Z", "5 days ago"],
])("%s is %s", (iso, words) => {
  expect(ago(iso, NOW)).toBe(words);
});
