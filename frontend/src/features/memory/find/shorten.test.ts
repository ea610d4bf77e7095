import { expect, test } from "vitest";
import { shorten } from "./shorten";

test("a short text stays as it is", () => {
  expect(shorten("One.\nTwo.\n")).toBe("One.\nTwo.\n");
});

test("many lines are cut at a line", () => {
  const lines = Array.from({ length: 9 }, (_, index) => `Line ${index}`);
  expect(shorten(lines.join("\n"))).toBe(`${lines.slice(0, 6).join("\n")} …`);
});

test("a long line is cut at a word", () => {
  const short = shorten("seven77 ".repeat(80));
  expect(short.length).toBeLessThanOrEqual(402);
  expect(short.endsWith("seven77 …")).toBe(true);
});

test("a long word is cut anywhere", () => {
  expect(shorten("x".repeat(500))).toBe(`${"x".repeat(400)} …`);
});
