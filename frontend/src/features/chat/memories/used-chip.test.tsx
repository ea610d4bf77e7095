import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { UsedItem } from "@/api/used-items";
import { userMessage } from "@/testing/messages";
import { json, mockServer } from "@/testing/render";
import { page } from "@/testing/samples";
import { C1, COUNT, DEFAULT_ANSWERS, message, openChat, resetChat } from "../testing/open-chat";

beforeEach(resetChat);

const INDEX = COUNT - 1;
const MINUTES = { timeout: 10_000 };

function item(changes: Partial<UsedItem> = {}): UsedItem {
  return {
    id: "n1",
    kind: "memory",
    layer: "L5_jit",
    quote: "The spare key lies under the flowerpot.",
    score: 3.05,
    similarity: 0.714,
    chance: 0.62,
    tokens: 18,
    uri: "mem://user/events/house",
    is_changed: false,
    valid_to: null,
    archived_at: null,
    index: null,
    role: "",
    name: "",
    conversation_id: null,
    conversation_title: "",
    ...changes,
  };
}

const SAID = item({
  id: "m4",
  kind: "message",
  uri: "",
  index: 4,
  role: "user",
  name: "Ann",
  similarity: 0,
  chance: null,
});

function openWith(items: UsedItem[], unavailable = 0, content = "Under the flowerpot.") {
  const requests = mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}/messages`]: (request: Request) => {
      const from = Number(new URL(request.url).searchParams.get("from_index"));
      const rows = Array.from({ length: Math.min(50, COUNT - from) }, (_, offset) => {
        const index = from + offset;
        const role = index % 2 ? ("assistant" as const) : ("user" as const);
        const used_count = index === INDEX ? items.length + unavailable : 0;
        return userMessage({ id: `m${index}`, index, role, content, used_count });
      });
      return json(page(rows));
    },
    [`GET ${C1}/messages/m${INDEX}/used`]: () => json({ items, unavailable }),
  });
  openChat();
  return requests;
}

const chipOf = async (name: string) => within(await message(INDEX)).findByRole("button", { name }, MINUTES);

test("the list has each quote with its source, its numbers under details, and is requested when it opens", async () => {
  const requests = openWith([item(), SAID]);
  const chip = await chipOf("2 memories used");
  expect(requests.some(({ url }) => url.endsWith("/used"))).toBe(false);
  await userEvent.click(chip);
  const list = await screen.findByRole("dialog", { name: "Used for this reply" });
  const memory = await within(list).findByRole("link", { name: "Open the memory" });
  expect(memory.getAttribute("href")).toBe("/memory/n/n1");
  const numbers = "62% chance of being relevant · score 3.05 · 71% similar · ≈ 18 tokens";
  expect(within(list).getByText(numbers).closest("details")?.open).toBe(false);
  expect(within(list).getByText("mem://user/events/house").closest("details")?.open).toBe(false);
  expect(within(list).getByText("score 3.05 · ≈ 18 tokens")).toBeTruthy();
  const said = within(list).getByRole("link", { name: "message 5, Ann" });
  expect(said.getAttribute("href")).toBe("/c/c1?m=4");
  expect(within(list).getAllByText(/^Score: how well it matches/)).toHaveLength(2);
});

test("a message of another chat links there, with that chat's title", async () => {
  const other = { ...SAID, conversation_id: "c9" };
  openWith([
    { ...other, conversation_title: "Trip to Rome" },
    { ...other, id: "m5", index: 5, name: "" },
  ]);
  await userEvent.click(await chipOf("2 memories used"));
  const named = await screen.findByRole("link", { name: "“Trip to Rome”, message 5, Ann" });
  expect(named.getAttribute("href")).toBe("/c/c9?m=4");
  const untitled = screen.getByRole("link", { name: "another chat, message 6" });
  expect(untitled.getAttribute("href")).toBe("/c/c9?m=5");
});

test("what changed since, holds no longer, or is in the profile says so", async () => {
  openWith([
    item({ is_changed: true, layer: "L0_identity" }),
    item({ id: "n2", valid_to: "2026-01-01T00:00:00Z", archived_at: "2026-01-02T00:00:00Z" }),
  ]);
  await userEvent.click(await chipOf("2 memories used"));
  for (const note of ["in your profile", "changed since", "no longer true", "archived"])
    expect(await screen.findByText(note)).toBeTruthy();
});

test("what was deleted since or belongs to somebody else is only counted", async () => {
  openWith([], 1);
  await userEvent.click(await chipOf("1 memory used"));
  expect(await screen.findByText(/^1 more is not shown/)).toBeTruthy();
  expect(screen.queryByText(/^Score:/)).toBeNull();
});

test("a reply without text has no chip", async () => {
  openWith([item()], 0, "");
  const shown = await message(INDEX);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(within(shown).queryByRole("button", { name: /used$/ })).toBeNull();
});
