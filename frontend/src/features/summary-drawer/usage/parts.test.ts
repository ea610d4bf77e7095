import { expect, test } from "vitest";
import { compactedPack, pack, plan } from "../testing/samples";
import { partsAfter, partsOf, livePosition, usedOf } from "./parts";

function planFor(compactedTokens: number, summaryGrowth: number) {
  return plan({
    live_tokens_before: 40_000,
    live_tokens_after: 40_000 - compactedTokens,
    summary_tokens_before: 900,
    summary_tokens_after: 900 + summaryGrowth,
  });
}

function tokensOf(parts: ReturnType<typeof partsOf>) {
  return Object.fromEntries(parts.map(({ layer, tokens }) => [layer, tokens]));
}

test("the parts add up to the total, and with the free space to the budget", () => {
  const { metadata } = compactedPack();
  const parts = partsOf(metadata);
  expect(usedOf(parts)).toBe(metadata.tokens.total);
  expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(metadata.budget);
});

test("summaries of earlier messages count as live, and come after the fixed parts", () => {
  expect(livePosition(partsOf(compactedPack().metadata), 8000)).toBe(8960);
});

test("a compaction moves tokens from the recent messages to the summary", () => {
  const after = tokensOf(partsAfter(pack(), planFor(2000, 600)));
  expect([after["recent"], after["summary"], after["free"]]).toEqual([2000, 1500, 8440]);
});

test("if live messages do not fit, compacting others does not shrink the pack", () => {
  const after = tokensOf(partsAfter(compactedPack(), planFor(20_000, 300)));
  expect([after["earlier"], after["recent"], after["summary"]]).toEqual([0, 4800, 1200]);
});

test("the result of a compaction is scaled to the pack's token counts", () => {
  const twice = { ...pack().metadata.tokens, recent_messages: 8000, total: 8960 };
  const after = tokensOf(partsAfter(pack({ tokens: twice }), planFor(2000, 600)));
  expect([after["recent"], after["summary"]]).toEqual([4000, 2100]);
});

test("without a compaction nothing changes", () => {
  const { metadata, ...whole } = compactedPack();
  expect(partsAfter({ metadata, ...whole }, planFor(0, 0))).toEqual(partsOf(metadata));
});
