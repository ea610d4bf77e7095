import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { ExtractedMemory } from "@/api/conversation-memories";
import { userMessage } from "@/testing/messages";
import { json, lastSent, mockServer } from "@/testing/render";
import { chat, page } from "@/testing/samples";
import { C1, COUNT, DEFAULT_ANSWERS, message, openChat, resetChat } from "../testing/open-chat";

beforeEach(resetChat);

const INDEX = COUNT - 2;
const NOT_READ = {
  off_by: "",
  next_index: 0,
  unread_messages: 1,
  due_at: null,
  is_running: false,
  failure: null,
  last_run: null,
};
const MINUTES = { timeout: 10_000 };

function memory(changes: Partial<ExtractedMemory> = {}): ExtractedMemory {
  return {
    id: "k1",
    message_id: `m${INDEX}`,
    index: INDEX,
    quote: "Don't forget: the office closes at six",
    rule: "reader",
    outcome: "created",
    state: "accepted",
    memory_id: "n1",
    uri: "mem://user/entities/various/office-closes-six",
    statement: "The office closes at six",
    change_id: "h1",
    conflicts: 0,
    replaced: [],
    created_at: "2026-11-20T10:00:00Z",
    ...changes,
  };
}

function openWith(memories: ExtractedMemory[], answers: Parameters<typeof mockServer>[0] = {}) {
  const requests = mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}/memories`]: () => json(page(memories)),
    ...answers,
  });
  openChat();
  return requests;
}

const chipOf = async (name: string) => within(await message(INDEX)).findByRole("button", { name }, MINUTES);

test("a message says how much was remembered from it and how much waits", async () => {
  const waiting = memory({ id: "k2", memory_id: "n2", state: "proposed", outcome: "proposed" });
  openWith([memory(), waiting, memory({ id: "k3", memory_id: "n3", state: "archived" })]);
  expect(await chipOf("1 remembered, 1 waits for you")).toBeTruthy();
});

test("the list says what was remembered, why, and from which words", async () => {
  openWith([memory()]);
  await userEvent.click(await chipOf("1 remembered"));
  const list = await screen.findByRole("dialog", { name: "Remembered from this message" });
  const what = within(list).getByRole("link", { name: "The office closes at six" });
  expect(what.getAttribute("href")).toBe("/memory/n/n1");
  expect(within(list).getByText(/“Don't forget: the office closes at six”/)).toBeTruthy();
  expect(within(list).getByText("You stated it as a fact.")).toBeTruthy();
  const source = within(list).getByRole("link", { name: `#${INDEX + 1}` });
  expect(source.getAttribute("href")).toBe(`/c/c1?m=${INDEX}`);
});

test("a proposal is decided in the inbox", async () => {
  openWith([memory({ state: "proposed", outcome: "proposed", conflicts: 1 })]);
  await userEvent.click(await chipOf("1 waits for you"));
  const decide = await screen.findByRole("link", { name: "Decide in the inbox" });
  expect(decide.getAttribute("href")).toBe("/memory/inbox/n1");
  expect(screen.getByText("conflicts with 1 memory")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

test("a memory is taken back, and the message has the focus when none is left", async () => {
  const memories = [memory()];
  const requests = openWith(memories, {
    "POST /api/memories/n1/undo": () => {
      memories[0] = memory({ state: "archived" });
      return json({ id: "n1" });
    },
  });
  await userEvent.click(await chipOf("1 remembered"));
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByText("Not remembered any more", {}, MINUTES)).toBeTruthy();
  const sent = lastSent(requests, "POST", "/api/memories/n1/undo");
  expect(await sent.json()).toEqual({ change_id: "h1", reason: "" });
  expect(screen.queryByRole("button", { name: "1 remembered" })).toBeNull();
  expect(document.activeElement).toBe(await message(INDEX));
});

test("a message that was just sent says that it is being read, until it was", async () => {
  let isBeingRead = true;
  const now = new Date().toISOString();
  const requests = mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}/memories`]: () => json(page([])),
    [`GET ${C1}/messages`]: (request: Request) => {
      const from = Number(new URL(request.url).searchParams.get("from_index"));
      const rows = Array.from({ length: Math.min(50, COUNT - from) }, (_, offset) => {
        const index = from + offset;
        const created_at = index === INDEX ? now : "2026-01-01T00:00:00Z";
        return userMessage({ id: `m${index}`, index, role: "user", content: "I live in Porto.", created_at });
      });
      return json(page(rows));
    },
    [`GET ${C1}/extraction`]: () => json({ ...NOT_READ, is_being_read: isBeingRead }),
  });
  openChat();
  expect(await within(await message(INDEX)).findByText("Being read for memories…")).toBeTruthy();
  isBeingRead = false;
  await vi.waitFor(() => expect(screen.queryByText("Being read for memories…")).toBeNull(), MINUTES);
  expect(requests.filter((one) => one.url.endsWith("/extraction")).length).toBeGreaterThan(1);
});

test("what a memory replaced stands below it", async () => {
  openWith([memory({ outcome: "replaced", replaced: ["The office closes at seven"] })]);
  await userEvent.click(await chipOf("1 remembered"));
  expect((await screen.findByText("The office closes at seven")).closest("p")?.textContent).toBe(
    "Replaced: The office closes at seven",
  );
});

test("what a message asked to forget can be remembered again", async () => {
  const memories = [memory({ rule: "forget", outcome: "forgotten", state: "archived" })];
  const requests = openWith(memories, {
    "POST /api/memories/n1/restore": () => {
      memories[0] = memory({ rule: "forget", outcome: "forgotten", state: "accepted" });
      return json({ id: "n1" });
    },
  });
  await userEvent.click(await chipOf("1 forgotten"));
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByText("Remembered again", {}, MINUTES)).toBeTruthy();
  expect(lastSent(requests, "POST", "/api/memories/n1/restore")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "1 forgotten" })).toBeNull();
});

test("of several memories that may be meant one is chosen", async () => {
  const asked = { rule: "forget", outcome: "to_forget" } as const;
  const memories = [
    memory(asked),
    memory({ ...asked, id: "k2", memory_id: "n2", statement: "The shop closes at six" }),
  ];
  openWith(memories, {
    "POST /api/memories/n2/archive": () => {
      memories[1] = memory({ ...asked, id: "k2", memory_id: "n2", state: "archived" });
      return json({ id: "n2" });
    },
  });
  await userEvent.click(await chipOf("Which one to forget?"));
  const list = await screen.findByRole("dialog", { name: "Which one should be forgotten?" });
  const [, second] = within(list).getAllByRole("button", { name: /^Forget this one/ });
  await userEvent.click(second as HTMLElement);
  expect(await chipOf("1 forgotten")).toBeTruthy();
});

test("in somebody else's chat nothing is asked for", async () => {
  const requests = openWith([memory()], {
    [`GET ${C1}`]: () => json(chat("c1", { message_count: COUNT, access: "write", owner_id: "u2" })),
  });
  await message(INDEX);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(requests.filter((one) => one.url.includes("/memories"))).toEqual([]);
});
