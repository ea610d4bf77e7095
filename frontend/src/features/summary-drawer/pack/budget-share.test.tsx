import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Schemas } from "@/api/client";
import type { Context } from "@/api/context";
import { inDrawer } from "../testing/in-drawer";
import { compactedPack, layer, pack } from "../testing/samples";
import { BudgetShare } from "./budget-share";

function share(shown: Context = compactedPack()) {
  inDrawer(<BudgetShare pack={shown} />);
}

test("each layer says what it wanted, got and uses, and who got less says so", () => {
  share();
  const rows = screen.getAllByRole("row").map((row) => row.textContent);
  expect(rows).toEqual([
    "LayerWantedGrantedUsedPriority",
    "User memory L120202095",
    "Summary L490090090088",
    "Messages L636,000 less than it wanted40,0004,0004,80080",
  ]);
  expect(screen.getByText("Nothing to say: Identity, Topics.")).toBeTruthy();
});

test("the table says which tokens it is in", () => {
  share();
  expect(
    screen.getByRole("table", { name: /^Stored tokens: characters\/4\. Wanted and granted/ }),
  ).toBeTruthy();
});

test("a layer that was left out had no room", () => {
  share(pack({}, { layers: [layer("L4_conversation", { content: 300 })] }));
  expect(screen.getByText("no room")).toBeTruthy();
});

test.each([
  ["full", "Full", /^Every live message/],
  ["windowed", "Windowed", /those before them in short\.$/],
  ["compacted", "Compacted", /the weightiest are quoted/],
  ["multi_level", "Multi-level", /the older the shorter\.$/],
] as const)("the strategy %s is told in words", (strategy, name, how) => {
  share(pack({ strategy }));
  expect(screen.getByRole("button", { name: new RegExp(`${name}$`) })).toBeTruthy();
  expect(screen.getByText(how)).toBeTruthy();
});

test("what became of the live messages is counted, none left out too", () => {
  share(compactedPack({ coverage: { shown: 57, key: 12, summarised: 340, dropped: 0 } }));
  const group = screen.getByRole("group", { name: "Live messages before the current one" });
  const told = within(group).getAllByRole("listitem");
  expect(told.map(({ textContent }) => textContent)).toEqual([
    "57 in their own words",
    "12 quoted",
    "340 in short",
    "0 left out",
  ]);
});

const BEGAN = { number: 4, began_at: "2026-03-06T16:50:00Z", is_new: false };

test.each<[Schemas["EpochReasonEnum"][], RegExp]>([
  [["window_full"], /^Epoch 4, since .+, because the window was full\./],
  [["summary", "pins"], /^Epoch 4, since .+, because of a change: the summary, pins\./],
  [[], /^Epoch 4, since [^.]+:\d\d\. While an epoch lasts/],
])("an epoch that began for the reason “%s” says so", (reasons, told) => {
  share(pack({ epoch: { ...BEGAN, reasons } }));
  expect(screen.getByText(/^Epoch 4/).textContent.replace(/\s+/g, " ")).toMatch(told);
});

test("of an epoch of the same day only the time is told", () => {
  vi.useFakeTimers({ now: new Date("2026-03-06T18:00:00Z"), toFake: ["Date"] });
  share(pack({ epoch: { ...BEGAN, reasons: [], is_new: true } }));
  vi.useRealTimers();
  expect(screen.getByText(/^Epoch 4, since \d\d:50\. It began with this pack\./)).toBeTruthy();
});

test("how much of the last pack came again is rounded down", () => {
  share(pack({ stability: { same: 997, previous: 1000, share: 0.997 } }));
  expect(screen.getByText(/^99 % of the last pack came again unchanged, 997 of 1,000 tokens/)).toBeTruthy();
});

test("a first pack, and one that begins otherwise, say so", () => {
  share(pack({ stability: null }));
  expect(screen.getByText(/no earlier pack of this budget/)).toBeTruthy();
  share(pack({ stability: { same: 0, previous: 1000, share: 0 } }));
  expect(screen.getByText("Nothing of the last pack came again unchanged.")).toBeTruthy();
});

test("with the engine off there is no epoch, and nothing stands in short", () => {
  const layers = [layer("L6_message_history", { content: 40_000, granted: 9000, used: 8900 })];
  share(pack({ engine: "disabled", strategy: "compacted", epoch: null, stability: null }, { layers }));
  expect(screen.getByText(/^The engine is off/)).toBeTruthy();
  expect(screen.queryByText(/Epoch|earlier pack|quoted\./)).toBeNull();
  expect(screen.getByRole("table", { name: "Stored tokens: characters/4." })).toBeTruthy();
});

test("it folds away with the keyboard", async () => {
  share();
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: /^How the budget was shared/ }));
  await userEvent.keyboard("{Enter}");
  expect(screen.queryByRole("table")).toBeNull();
});
