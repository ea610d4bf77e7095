import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { renderSettings, MEMBER } from "../testing/in-settings";
import { day, usage } from "../testing/samples";

test("the plot has a text alternative, in tokens or in dollars", async () => {
  renderSettings("usage");
  expect(
    await screen.findByRole("img", { name: "4,200 tokens from Nov 20, 2026 to Nov 21, 2026, by day" }),
  ).toBeTruthy();
  expect(screen.getByText("Highest day: 4,200 tokens, Nov 21, 2026")).toBeTruthy();
  await userEvent.click(screen.getByRole("radio", { name: "USD" }));
  expect(screen.getByRole("img", { name: "$1.84 from Nov 20, 2026 to Nov 21, 2026, by day" })).toBeTruthy();
});

test("the table has the same data, newest day first", async () => {
  renderSettings("usage");
  const turn = await screen.findByRole("button", { name: "Show table" });
  await userEvent.click(turn);
  const [, newest, older] = within(screen.getByRole("region", { name: "Daily usage" })).getAllByRole("row");
  const cells = within(newest as HTMLElement).getAllByRole("cell");
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    "7",
    "1",
    "3,000",
    "800",
    "400",
    "4,200",
    "$1.84",
  ]);
  expect(older?.textContent).toContain("Nov 20, 2026");
});

test("another range can be requested", async () => {
  const requests = renderSettings("usage");
  await screen.findByRole("img");
  await userEvent.click(screen.getByRole("radio", { name: "90 days" }));
  expect(requests.map(({ url }) => new URL(url).search)).toEqual(["?days=30", "?days=90"]);
});

test("a model shows which numbers are estimates and where prices are missing", async () => {
  renderSettings("usage");
  const table = await screen.findByRole("table", { name: "By model" });
  const [, estimatedNote, unpriced] = within(table).getAllByRole("row");
  expect(estimatedNote?.textContent).toContain("≈ 2 calls estimated");
  expect(estimatedNote?.textContent).toContain("≈ 4,200");
  expect(estimatedNote?.textContent).toContain("$1.84");
  expect(unpriced?.textContent).toContain("price unknown");
  expect(unpriced?.textContent).not.toContain("$0.00");
  expect(screen.getByText("7 calls not included in USD: price unknown.")).toBeTruthy();
  expect(screen.getByText(/USD by the prices of Nov 1, 2026\./)).toBeTruthy();
});

test("purposes have readable names", async () => {
  renderSettings("usage");
  const table = await screen.findByRole("table", { name: "By task" });
  expect(within(table).getByRole("rowheader", { name: "Replies" })).toBeTruthy();
  expect(within(table).getByRole("rowheader", { name: "Embeddings" })).toBeTruthy();
});

test("an empty range says so", async () => {
  const none = usage({ days: [day("2026-11-21")], by_purpose: [], by_model: [], unpriced_calls: 0 });
  renderSettings("usage", { "GET /api/usage": () => json(none) });
  expect(await screen.findAllByText("No model calls in this period.")).toHaveLength(3);
  expect(screen.queryByRole("img")).toBeNull();
});

test("members see why they have no access, and nothing is requested", async () => {
  const requests = renderSettings("usage", {}, MEMBER);
  expect(await screen.findByText("You can't see usage")).toBeTruthy();
  expect(requests).toEqual([]);
});
