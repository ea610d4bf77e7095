import { expect, test } from "vitest";
import { compactedPack, pack, plan } from "../testing/samples";
import { partsAfter, partsOf, placeOfLive, usedOf } from "./parts";

function folding(folds: number, grows: number) {
  return plan({
    live_tokens_before: 40_000,
    live_tokens_after: 40_000 - folds,
    summary_tokens_before: 900,
    summary_tokens_after: 900 + grows,
  });
}

function tokensOf(parts: ReturnType<typeof partsOf>) {
  return Object.fromEntries(parts.map(({ layer, tokens }) => [layer, tokens]));
}

test("the parts add up to the total, and with what is free to the budget", () => {
  const { metadata } = compactedPack();
  const parts = partsOf(metadata);
  expect(usedOf(parts)).toBe(metadata.tokens.total);
  expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(metadata.budget);
});

test("what stands for earlier messages is live, and comes after what is not", () => {
  expect(placeOfLive(partsOf(compactedPack().metadata), 8000)).toBe(8960);
});

test("a fold takes from the recent messages and gives to the summary", () => {
  const after = tokensOf(partsAfter(pack(), folding(2000, 600)));
  expect([after["recent"], after["summary"], after["free"]]).toEqual([2000, 1500, 8440]);
});

test("where not all live messages have room a fold of the others makes the pack no smaller", () => {
  const after = tokensOf(partsAfter(compactedPack(), folding(20_000, 300)));
  expect([after["earlier"], after["recent"], after["summary"]]).toEqual([0, 4800, 1200]);
});

test("what a fold brings is counted as the pack is", () => {
  const twice = { ...pack().metadata.tokens, recent_messages: 8000, total: 8960 };
  const after = tokensOf(partsAfter(pack({ tokens: twice }), folding(2000, 600)));
  expect([after["recent"], after["summary"]]).toEqual([4000, 2100]);
});

test("without a fold nothing changes", () => {
  const { metadata, ...whole } = compactedPack();
  expect(partsAfter({ metadata, ...whole }, folding(0, 0))).toEqual(partsOf(metadata));
});
