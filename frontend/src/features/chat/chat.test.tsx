import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test } from "vitest";
import type { View } from "@/events/reducer";
import { addUnsent, unsentIn } from "@/lib/outbox";
import { closeSocket, openSocket } from "@/testing/live";
import { finished, started } from "@/testing/messages";
import { json, mockServer } from "@/testing/render";
import { chat, page } from "@/testing/samples";
import { Chat } from "./chat";
import { resetChat, C1, COUNT, liveState, message, openChat, DEFAULT_ANSWERS } from "./testing/open-chat";

beforeEach(resetChat);

test("a conversation that does not exist offers a way back", async () => {
  mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}`]: () => json({ code: "not_found", title: "Page not found" }, 404),
  });
  openChat();
  expect((await screen.findByRole("alert")).textContent).toContain("Page not found");
  expect(screen.getByRole("button", { name: "Back to chats" })).toBeTruthy();
});

test("an empty conversation shows a hint", async () => {
  mockServer({ ...DEFAULT_ANSWERS, [`GET ${C1}`]: () => json(chat("c1", { message_count: 0 })) });
  openChat();
  expect(await screen.findByText("No messages yet")).toBeTruthy();
});

test("a message sent offline waits, and can be discarded or moved back to the composer", async () => {
  mockServer({
    ...DEFAULT_ANSWERS,
    [`POST ${C1}/turns`]: () => {
      throw new TypeError("Failed to fetch");
    },
  });
  const user = userEvent.setup();
  openChat();
  await message(COUNT - 1);
  openSocket();
  closeSocket();
  await user.type(screen.getByRole("textbox", { name: "Message" }), "Hello{Enter}");
  const waiting = await screen.findByRole("article", { name: "Queued message" });
  await within(waiting).findByText("waiting for connection");
  await user.click(within(waiting).getByRole("button", { name: "Discard" }));
  expect(unsentIn("u1/w1/c1")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(unsentIn("u1/w1/c1")).toMatchObject([{ content: "Hello" }]);
});

test("waiting messages are sent after reconnecting, with a summary", async () => {
  const events = [started(), finished()].map(
    ({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  const { externalId } = addUnsent("u1/w1/c1", "Hello");
  let isAway = true;
  const requests = mockServer({
    ...DEFAULT_ANSWERS,
    [`POST ${C1}/turns`]: () => {
      if (isAway) throw new TypeError("Failed to fetch");
      return new Response(events.join(""));
    },
  });
  openChat();
  await screen.findByText("waiting for connection");
  isAway = false;
  openSocket();
  expect(await screen.findByText("Back online. 1 message sent, 1 reply fetched.")).toBeTruthy();
  const bodies = await Promise.all(requests.filter((one) => one.method === "POST").map((one) => one.json()));
  expect(new Set(bodies.map((body: { external_id: string }) => body.external_id))).toEqual(
    new Set([externalId]),
  );
});

test("a reply that started on another page is streamed", async () => {
  const stream = [started(), { name: "delta", data: { text: "Heard elsewhere" } }, finished()].map(
    ({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  const requests = mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}`]: () => json(chat("c1", { message_count: 0 })),
    [`GET ${C1}/messages`]: () => json(page([])),
    [`GET ${C1}/turns/current`]: () => new Response(stream.join("")),
  });
  const view = {
    state: liveState(),
    version: 1,
    healthVersion: 1,
    stale: false,
    stage: null,
  } as unknown as View;
  openChat({ view });
  openSocket();
  expect(await screen.findByText("Heard elsewhere")).toBeTruthy();
  expect(requests.filter((one) => one.url.endsWith("/turns/current"))).toHaveLength(1);
});

test("a new chat is created with its first message", async () => {
  const requests = mockServer({ "POST /api/conversations": () => json(chat("c1"), 201) });
  const user = userEvent.setup();
  openChat({ id: null, welcome: () => <p>Welcome</p> });
  expect(screen.getByText("Welcome")).toBeTruthy();
  await user.type(screen.getByRole("textbox", { name: "Message" }), "Move billing{Enter}");
  await waitFor(() => expect(unsentIn("u1/w1/c1")).toMatchObject([{ content: "Move billing" }]));
  const created = requests.find((one) => one.method === "POST");
  expect(await created?.json()).toMatchObject({ title: "Move billing" });
});

test("a new chat can be temporary", async () => {
  const requests = mockServer({ "POST /api/conversations": () => json(chat("c1"), 201) });
  const user = userEvent.setup();
  function Start() {
    const [isTemporary, onTemporary] = useState(false);
    return <Chat id={null} view={null} {...{ isTemporary, onTemporary }} />;
  }
  openChat({}, <Start />);
  const choice = await screen.findByRole("switch", { name: "Temporary chat" }, { timeout: 10_000 });
  expect(screen.getByText("Nothing is learned from it, and other chats don't find it.")).toBeTruthy();
  await user.click(choice);
  await user.type(screen.getByRole("textbox", { name: "Message" }), "Between us{Enter}");
  await waitFor(() => expect(unsentIn("u1/w1/c1")).toMatchObject([{ content: "Between us" }]));
  const created = requests.find((one) => one.method === "POST");
  expect(await created?.json()).toMatchObject({ temporary: true });
});

test("a busy server is reported, with the time of the next attempt", async () => {
  mockServer({
    ...DEFAULT_ANSWERS,
    [`POST ${C1}/turns`]: () =>
      Response.json({ code: "too_many" }, { status: 429, headers: { "Retry-After": "30" } }),
  });
  const user = userEvent.setup();
  openChat();
  await message(COUNT - 1);
  await user.type(screen.getByRole("textbox", { name: "Message" }), "Hello{Enter}");
  const waiting = await screen.findByRole("article", { name: "Queued message" });
  await within(waiting).findByText("the server is busy");
  expect(within(waiting).getByText(/retrying in (30|29) s/)).toBeTruthy();
});

test("offline a banner is shown, and its button retries waiting messages", async () => {
  const requests = mockServer({
    ...DEFAULT_ANSWERS,
    [`POST ${C1}/turns`]: () => {
      throw new TypeError("Failed to fetch");
    },
  });
  const user = userEvent.setup();
  openChat();
  await message(COUNT - 1);
  addUnsent("u1/w1/c1", "Hello");
  await screen.findByText("waiting for connection");
  openSocket();
  closeSocket();
  const before = requests.filter((one) => one.method === "POST").length;
  await user.click(await screen.findByRole("button", { name: "Try now" }));
  await waitFor(() => expect(requests.filter((one) => one.method === "POST").length).toBeGreaterThan(before));
  expect(screen.getByText("No connection.")).toBeTruthy();
});

test("if only the socket is disconnected, messages are sent and no reconnect is reported", async () => {
  const events = [started(), finished()].map(
    ({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  mockServer({ ...DEFAULT_ANSWERS, [`POST ${C1}/turns`]: () => new Response(events.join("")) });
  openChat();
  await message(COUNT - 1);
  openSocket();
  closeSocket();
  addUnsent("u1/w1/c1", "Hello");
  await waitFor(() => expect(unsentIn("u1/w1/c1")).toEqual([]));
  await screen.findByText("Reply received, message 2.");
  expect(screen.queryByText(/Back online/)).toBeNull();
});
