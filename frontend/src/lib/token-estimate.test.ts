import { expect, test } from "vitest";
import { characters, estimatedTokens, textTokens } from "./token-estimate";

const RATES = {
  character_sizes: [
    [0, 25],
    [0x4e00, 80],
    [0x1f000, 175],
  ],
  message_overhead_tokens: 4,
};

test("the estimate is a quarter of English characters, rounded up, plus the overhead of a message", () => {
  expect(estimatedTokens("abcde", RATES)).toBe(6);
  expect(estimatedTokens("", RATES)).toBe(4);
});

test("other scripts weigh what the server says", () => {
  expect(textTokens("每个租户", RATES.character_sizes)).toBe(4);
  expect(textTokens("🙂🙂 ok", RATES.character_sizes)).toBe(5);
});

test("a character outside the basic plane counts as one", () => {
  expect(characters("🙂🙂🙂🙂")).toBe(4);
});
