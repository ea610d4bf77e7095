import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { clearToasts } from "@/components/feedback/toast";
import { json, lastSent, mockServer, renderInApp } from "@/testing/render";
import { chat } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { ChatHeader } from "../chat-header";

const C1 = "/api/conversations/c1";
const DONE = { id: "o1", state: "succeeded", error: null };

beforeEach(clearToasts);

async function rememberWith(...operations: object[]) {
  const requests = mockServer({
    [`GET ${C1}`]: () => json(chat("c1")),
    [`POST ${C1}/extraction`]: () => json({ id: "o1", state: "queued", error: null }, 202),
    "GET /api/operations/o1": () => json(operations.length > 1 ? operations.shift() : operations[0]),
  });
  renderHeader();
  await choose("Remember now");
  return requests;
}

function renderHeader() {
  renderInApp(
    <InShell openList={() => undefined}>
      <ChatHeader id="c1" view={null} pill={<span>Healthy</span>} />
    </InShell>,
  );
}

async function choose(name: string) {
  await userEvent.click(await screen.findByRole("button", { name: "Chat actions" }));
  await userEvent.click(await screen.findByRole("menuitem", { name }));
}

function result(counts: object) {
  const none = { created: 0, proposed: 0, replaced: 0, merged: 0, known: 0, reason: "" };
  return { ...DONE, result: { ...none, ...counts } };
}

test("a chat is read for memories, and what was made is counted", async () => {
  const running = { ...DONE, state: "running" };
  const requests = await rememberWith(running, result({ created: 2, proposed: 1 }));
  expect(
    await screen.findByText("Remembered: 2 memories, 1 to confirm", {}, { timeout: 10_000 }),
  ).toBeTruthy();
  expect(screen.getByRole("button", { name: "Open Memory" })).toBeTruthy();
  expect(requests.filter((one) => one.method === "POST")).toHaveLength(1);
});

test("why nothing was remembered is said", async () => {
  await rememberWith(result({ reason: "nothing_new" }));
  expect(
    await screen.findByText("No new messages since the last time", {}, { timeout: 10_000 }),
  ).toBeTruthy();
});

test("words that are known already are counted as such", async () => {
  await rememberWith(result({ known: 3, reason: "all_known" }));
  expect(
    await screen.findByText("Nothing new: 3 memories known already", {}, { timeout: 10_000 }),
  ).toBeTruthy();
});

test("a run that failed is reported", async () => {
  await rememberWith({
    ...DONE,
    state: "failed",
    error: { code: "worker_lost", detail: "Stopped." },
    result: null,
  });
  expect(await screen.findByText(/Something went wrong on the server/, {}, { timeout: 10_000 })).toBeTruthy();
});

test("learning from a chat is switched off, and on again by undoing that", async () => {
  let row = chat("c1", { version: 3 });
  const requests = mockServer({
    [`GET ${C1}`]: () => json(row),
    [`PATCH ${C1}`]: () => {
      row = { ...row, remembers: !row.remembers, version: row.version + 1 };
      return json(row);
    },
  });
  renderHeader();
  await choose("Stop learning from this chat");
  expect(await screen.findByText("Nothing more is learned from this chat")).toBeTruthy();
  const sent = lastSent(requests, "PATCH", C1);
  expect([await sent.json(), sent.headers.get("If-Match")]).toEqual([{ remembers: false }, '"3"']);
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText("This chat is learned from again")).toBeTruthy();
  expect(row.remembers).toBe(true);
});

test("a temporary chat has nothing to remember and nothing to switch off", async () => {
  mockServer({ [`GET ${C1}`]: () => json(chat("c1", { temporary: true })) });
  renderHeader();
  await userEvent.click(await screen.findByRole("button", { name: "Chat actions" }));
  expect(await screen.findByRole("menuitem", { name: "Copy link" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: /Remember now|learning/ })).toBeNull();
});
