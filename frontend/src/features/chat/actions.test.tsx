import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { writeStored } from "@/lib/local-storage";
import { compaction } from "@/testing/messages";
import { json, mockServer } from "@/testing/render";
import { chat, page } from "@/testing/samples";
import { resetChat, C1, COUNT, focused, message, openChat, DEFAULT_ANSWERS } from "./testing/open-chat";

beforeEach(resetChat);

const isPreview = (request: Request) => request.url.includes("dry_run=true");
const preview = (lines: string[], frees_tokens = 7) => ({
  changed: ["m119"],
  compacted: [],
  frees_tokens,
  summary_lines: lines.map((text) => ({ field: "facts", text })),
  pins: 0,
});

test("arrow keys move between messages, and letters act on the focused one", async () => {
  const pin = { id: "p1", message_id: "m118", token_count: 7 };
  const requests = mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}/pins`]: () => json(page([])),
    [`POST ${C1}/pins`]: () => json(pin, 201),
  });
  const user = userEvent.setup();
  openChat();
  (await message(COUNT - 1)).focus();
  await user.keyboard("{ArrowUp}");
  await waitFor(() => expect(focused()).toBe("118"));
  await user.keyboard("p");
  expect(await screen.findByText("Pinned message 119 (≈ 7 tokens)")).toBeTruthy();
  const created = requests.find((one) => one.method === "POST");
  expect(await created?.json()).toMatchObject({ message_id: "m118" });
});

test("single-letter shortcuts can be disabled", async () => {
  writeStored("single-keys", false);
  const requests = mockServer(DEFAULT_ANSWERS);
  const user = userEvent.setup();
  openChat();
  (await message(COUNT - 1)).focus();
  await user.keyboard("pxr");
  expect(requests.filter((one) => one.method !== "GET")).toEqual([]);
});

test("excluding a message shows the freed tokens and can be undone", async () => {
  const requests = mockServer({ ...DEFAULT_ANSWERS, [`POST ${C1}/exclusions`]: () => json(preview([], 5)) });
  const user = userEvent.setup();
  openChat();
  (await message(COUNT - 1)).focus();
  await user.keyboard("x");
  expect(await screen.findByText("Excluded message 120, ≈ 5 tokens freed")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  const changes = requests.filter((one) => one.method === "POST" && !isPreview(one));
  expect(await Promise.all(changes.map((one) => one.json()))).toMatchObject([
    { message_ids: ["m119"], excluded: true },
    { message_ids: ["m119"], excluded: false },
  ]);
});

test("excluding a message that summary lines depend on asks for confirmation", async () => {
  const requests = mockServer({
    ...DEFAULT_ANSWERS,
    [`POST ${C1}/exclusions`]: () => json(preview(["Money is minor units"], 0)),
  });
  const user = userEvent.setup();
  openChat();
  (await message(COUNT - 1)).focus();
  await user.keyboard("x");
  expect(await screen.findByText("Money is minor units")).toBeTruthy();
  expect(requests.filter((one) => one.method === "POST" && !isPreview(one))).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Exclude message" }));
  expect(await screen.findByText("Excluded message 120")).toBeTruthy();
  expect(screen.queryByText("Money is minor units")).toBeNull();
});

test("a key held down acts once, and an action in flight is not repeated", async () => {
  let answer: (response: Response) => void = () => undefined;
  const requests = mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}/pins`]: () => json(page([])),
    [`POST ${C1}/pins`]: () => new Promise((resolve) => (answer = resolve)),
  });
  const user = userEvent.setup();
  openChat();
  const newest = await message(COUNT - 1);
  newest.focus();
  fireEvent.keyDown(newest, { key: "p", repeat: true });
  await user.keyboard("p");
  await user.keyboard("p");
  await waitFor(() => expect(requests.filter((one) => one.method === "POST")).toHaveLength(1));
  expect(within(newest).getByRole("button", { name: "Copy" }).getAttribute("aria-disabled")).toBe("true");
  answer(json({ id: "p1", message_id: "m119", token_count: 7 }, 201));
  await screen.findByText("Pinned message 120 (≈ 7 tokens)");
  const before = requests.length;
  fireEvent.keyDown(newest, { key: "p", repeat: true });
  expect(requests).toHaveLength(before);
  expect(requests.filter((one) => one.method === "POST")).toHaveLength(1);
});

test("an edit creates one fork, however often Enter is pressed", async () => {
  const requests = mockServer({
    ...DEFAULT_ANSWERS,
    [`POST ${C1}/fork`]: () => json({ code: "overloaded" }, 503),
  });
  const user = userEvent.setup();
  openChat();
  const own = await message(COUNT - 2);
  await user.click(within(own).getByRole("button", { name: "Edit" }));
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Edit your message" });
  await user.type(field, " anew");
  fireEvent.keyDown(field, { key: "Enter" });
  fireEvent.keyDown(field, { key: "Enter" });
  expect(await screen.findByText(/Something went wrong on the server/)).toBeTruthy();
  expect(requests.filter((one) => one.method === "POST")).toHaveLength(1);
  expect(field.value).toBe("Text 118 anew");
});

test("a reader sees why the composer is disabled, and can continue in a fork", async () => {
  const requests = mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}`]: () => json(chat("c1", { message_count: COUNT, owner_id: "u2", access: "read" })),
    [`POST ${C1}/fork`]: () => json(chat("c2"), 201),
  });
  const user = userEvent.setup();
  openChat();
  expect(await screen.findByText(/You have read access/)).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: "Message" })).toBeNull();
  (await message(COUNT - 1)).focus();
  await user.keyboard("pxr");
  expect(requests.filter((one) => one.method !== "GET")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Fork the whole chat" }));
  expect(await screen.findByText("This is a copy. The original is unchanged.")).toBeTruthy();
});

test("unpinning sends the version that the user saw", async () => {
  const pin = { id: "p1", message_id: "m119", content: "Text 119", category: "other", version: 3 };
  const requests = mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}/pins`]: () => json(page([pin])),
    [`DELETE ${C1}/pins/p1`]: () => new Response(null, { status: 204 }),
  });
  const user = userEvent.setup();
  openChat();
  (await message(COUNT - 1)).focus();
  await user.keyboard("p");
  expect(await screen.findByText("Unpinned message 120")).toBeTruthy();
  const removal = requests.find((one) => one.method === "DELETE");
  expect(removal?.headers.get("If-Match")).toBe('"3"');
});

test("undoing a compaction names the summary version that is in use then", async () => {
  const run = compaction(5, { compacted_from: 0, compacted_through: COUNT - 1 });
  mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}/compactions`]: () => json(page([run])),
    [`GET ${C1}/summary`]: () =>
      json({ version: 6, covers_through: null, summary_tokens: 90, rolling_summary: {} }),
    [`POST ${C1}/compactions/run5/undo`]: () => json({ ...run, state: "undone" }),
  });
  openChat();
  await message(COUNT - 1);
  await userEvent.click(await screen.findByRole("button", { name: "Undo the compaction that created v5" }));
  expect(await screen.findByText(/^Compaction undone\. Summary v6 is in use/)).toBeTruthy();
});

test("a message where chats diverge leads to the other chats", async () => {
  mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}/branches`]: () =>
      json({ points: [{ index: COUNT - 2, conversation_ids: ["c0", "c1", "c2"] }] }),
  });
  openChat();
  const own = await message(COUNT - 2);
  expect(await within(own).findByRole("group", { name: "Branch 2 of 3" })).toBeTruthy();
  expect(within(own).getByRole("link", { name: "Next branch" }).getAttribute("href")).toBe("/c/c2?m=118");
});

test("a fork without messages of its own shows its branches at the last shared message", async () => {
  mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}/branches`]: () => json({ points: [{ index: COUNT, conversation_ids: ["c0", "c1"] }] }),
  });
  openChat();
  const last = await message(COUNT - 1);
  expect(await within(last).findByRole("group", { name: "Branch 2 of 2" })).toBeTruthy();
});
