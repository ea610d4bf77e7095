import { expect, test } from "vitest";
import { characters, estimatedTokens } from "./token-estimate";

const RATES = { characters_per_token: 4, message_overhead_tokens: 4 };

test("the estimate is a quarter of the characters, rounded up, plus the overhead of a message", () => {
  expect(estimatedTokens("abcde", RATES)).toBe(6);
  expect(estimatedTokens("abcde", { characters_per_token: 2, message_overhead_tokens: 0 })).toBe(3);
});

test("a character outside the basic plane counts as one", () => {
  expect(characters("🙂🙂🙂🙂")).toBe(4);
});
