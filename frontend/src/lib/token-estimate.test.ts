import { expect, test } from "vitest";
import { characters, estimatedTokens } from "./token-estimate";

const RATES = { characters_per_token: 4, message_overhead_tokens: 4 };

test("a message is a quarter of its characters, rounded up, and what every message costs", () => {
  expect(estimatedTokens("abcde", RATES)).toBe(6);
  expect(estimatedTokens("abcde", { characters_per_token: 2, message_overhead_tokens: 0 })).toBe(3);
});

test("a character outside of the basic plane is one", () => {
  expect(characters("🙂🙂🙂🙂")).toBe(4);
});
