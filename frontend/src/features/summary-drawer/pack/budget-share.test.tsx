import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Schemas } from "@/api/client";
import type { Context } from "@/api/context";
import { renderInDrawer } from "../testing/in-drawer";
import { compactedPack, layer, pack } from "../testing/samples";
import { BudgetShare } from "./budget-share";

function renderShare(shown: Context = compactedPack()) {
  renderInDrawer(<BudgetShare pack={shown} />);
}

test("each layer shows requested, granted and used tokens, and a shortage", () => {
  renderShare();
  const rows = screen.getAllByRole("row").map((row) => row.textContent);
  expect(rows).toEqual([
    "LayerRequestedAllowedUsedPriority",
    "Preferences L120202095",
    "Summary L490090090088",
    "Messages L636,000 fewer than requested40,0004,0004,80080",
  ]);
  expect(screen.getByText("Empty: Identity, Topics.")).toBeTruthy();
});

test("the table names the kind of tokens", () => {
  renderShare();
  expect(
    screen.getByRole("table", { name: /^≈ tokens: characters ÷ 4\. Requested and allowed/ }),
  ).toBeTruthy();
});

test("an omitted layer had no space", () => {
  renderShare(pack({}, { layers: [layer("L4_conversation", { content: 300 })] }));
  expect(screen.getByText("no room")).toBeTruthy();
});

test.each([
  ["full", "Full", /^All messages in full/],
  ["windowed", "Windowed", /earlier ones summarized\.$/],
  ["compacted", "Compacted", /key messages quoted/],
  ["multi_level", "Multi-level", /the older the shorter\.$/],
] as const)("the strategy %s is described", (strategy, name, how) => {
  renderShare(pack({ strategy }));
  expect(screen.getByRole("button", { name: new RegExp(`${name}$`) })).toBeTruthy();
  expect(screen.getByText(how)).toBeTruthy();
});

test("the share of the budget that is used is stated, with what is free", () => {
  renderShare(pack({ fill_percent: 94.2, free_tokens: 696 }));
  expect(screen.getByText(/^Fills 94\.2% of the budget; ≈ 696 tokens stay free/)).toBeTruthy();
});

test("the treatment of the live messages is counted, including zero omitted", () => {
  renderShare(compactedPack({ coverage: { shown: 57, key: 12, summarized: 340, dropped: 0, compacted: 8 } }));
  const group = screen.getByRole("group", { name: "Live messages before the current one" });
  const texts = within(group).getAllByRole("listitem");
  expect(texts.map(({ textContent }) => textContent)).toEqual([
    "57 in full",
    "12 quoted",
    "340 summarized",
    "0 omitted",
  ]);
  expect(within(group).getByText("8 compacted messages are included in full again.")).toBeTruthy();
});

const BEGAN = { number: 4, began_at: "2026-03-06T16:50:00Z", is_new: false };

test.each<[Schemas["EpochReasonEnum"][], RegExp]>([
  [["window_full"], /^Cache prefix 4, since .+ \(the window was full\)\./],
  [["summary", "pins"], /^Cache prefix 4, since .+ \(the summary, pins changed\)\./],
  [[], /^Cache prefix 4, since [^.]+:\d\d\. Until something changes/],
])("a cache epoch that started because of “%s” says so", (reasons, texts) => {
  renderShare(pack({ epoch: { ...BEGAN, reasons } }));
  expect(screen.getByText(/^Cache prefix 4/).textContent.replace(/\s+/g, " ")).toMatch(texts);
});

test("a cache epoch of today shows only the time", () => {
  vi.useFakeTimers({ now: new Date("2026-03-06T18:00:00Z"), toFake: ["Date"] });
  renderShare(pack({ epoch: { ...BEGAN, reasons: [], is_new: true } }));
  vi.useRealTimers();
  expect(screen.getByText(/^Cache prefix 4, since \d\d:50\. It starts with this request\./)).toBeTruthy();
});

test("the share of the stable prefix is rounded down", () => {
  renderShare(pack({ stability: { same: 997, previous: 1000, share: 0.997 } }));
  expect(screen.getByText(/^99% of the last request is unchanged \(997 of 1,000 tokens/)).toBeTruthy();
});

test("a first pack, and one with another prefix, say so", () => {
  renderShare(pack({ stability: null }));
  expect(screen.getByText(/Nothing to compare with yet/)).toBeTruthy();
  renderShare(pack({ stability: { same: 0, previous: 1000, share: 0 } }));
  expect(screen.getByText("Nothing could be reused from the last request.")).toBeTruthy();
});

test("with the engine off there is no cache epoch, and nothing is summarized", () => {
  const layers = [layer("L6_message_history", { content: 40_000, granted: 9000, used: 8900 })];
  renderShare(pack({ engine: "disabled", strategy: "compacted", epoch: null, stability: null }, { layers }));
  expect(screen.getByText(/^The engine is off/)).toBeTruthy();
  expect(screen.queryByText(/Epoch|earlier pack|quoted\./)).toBeNull();
  expect(screen.getByRole("table", { name: "≈ tokens: characters ÷ 4." })).toBeTruthy();
});

test("it can be collapsed by keyboard", async () => {
  renderShare();
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: /^How the budget was spent/ }));
  await userEvent.keyboard("{Enter}");
  expect(screen.queryByRole("table")).toBeNull();
});
