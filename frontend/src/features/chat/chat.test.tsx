import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { View } from "@/events/reducer";
import { put, waitingIn } from "@/lib/outbox";
import { socketCloses, socketOpens } from "@/testing/live";
import { finished, started } from "@/testing/messages";
import { json, serve } from "@/testing/render";
import { chat, page } from "@/testing/samples";
import { anew, C1, COUNT, liveState, message, openChat, usual } from "./testing/open-chat";

beforeEach(anew);

test("a conversation that is not there offers a way back", async () => {
  serve({ ...usual, [`GET ${C1}`]: () => json({ code: "not_found", title: "There is nothing here" }, 404) });
  openChat();
  expect((await screen.findByRole("alert")).textContent).toContain("There is nothing here");
  expect(screen.getByRole("button", { name: "Back to the chats" })).toBeTruthy();
});

test("an empty conversation says what comes here", async () => {
  serve({ ...usual, [`GET ${C1}`]: () => json(chat("c1", { message_count: 0 })) });
  openChat();
  expect(await screen.findByText("Nothing said yet")).toBeTruthy();
});

test("what is sent without a connection waits, and can be discarded and taken back", async () => {
  serve({
    ...usual,
    [`POST ${C1}/turns`]: () => {
      throw new TypeError("Failed to fetch");
    },
  });
  const user = userEvent.setup();
  openChat();
  await message(COUNT - 1);
  socketOpens();
  socketCloses();
  await user.type(screen.getByRole("textbox", { name: "Message" }), "Hello{Enter}");
  const waiting = await screen.findByRole("article", { name: "Message that waits" });
  await within(waiting).findByText("waits for the connection");
  await user.click(within(waiting).getByRole("button", { name: "Discard" }));
  expect(waitingIn("u1/w1/c1")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(waitingIn("u1/w1/c1")).toMatchObject([{ content: "Hello" }]);
});

test("what waited is sent when the connection is back, and that is said", async () => {
  const events = [started(), finished()].map(
    ({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  const { externalId } = put("u1/w1/c1", "Hello");
  let isAway = true;
  const asked = serve({
    ...usual,
    [`POST ${C1}/turns`]: () => {
      if (isAway) throw new TypeError("Failed to fetch");
      return new Response(events.join(""));
    },
  });
  openChat();
  await screen.findByText("waits for the connection");
  isAway = false;
  socketOpens();
  expect(await screen.findByText("Back online. 1 message sent, 1 reply fetched.")).toBeTruthy();
  const bodies = await Promise.all(asked.filter((one) => one.method === "POST").map((one) => one.json()));
  expect(new Set(bodies.map((body: { external_id: string }) => body.external_id))).toEqual(
    new Set([externalId]),
  );
});

test("a reply that another page began is followed", async () => {
  const stream = [started(), { name: "delta", data: { text: "Heard elsewhere" } }, finished()].map(
    ({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  const asked = serve({
    ...usual,
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
  socketOpens();
  expect(await screen.findByText("Heard elsewhere")).toBeTruthy();
  expect(asked.filter((one) => one.url.endsWith("/turns/current"))).toHaveLength(1);
});

test("a new chat is made with its first message", async () => {
  const asked = serve({ "POST /api/conversations": () => json(chat("c1"), 201) });
  const user = userEvent.setup();
  openChat({ id: null, welcome: <p>Welcome</p> });
  expect(screen.getByText("Welcome")).toBeTruthy();
  await user.type(screen.getByRole("textbox", { name: "Message" }), "Move billing{Enter}");
  await waitFor(() => expect(waitingIn("u1/w1/c1")).toMatchObject([{ content: "Move billing" }]));
  const created = asked.find((one) => one.method === "POST");
  expect(await created?.json()).toMatchObject({ title: "Move billing" });
});

test("a server that is busy is called so, with the next try", async () => {
  serve({
    ...usual,
    [`POST ${C1}/turns`]: () =>
      Response.json({ code: "too_many" }, { status: 429, headers: { "Retry-After": "30" } }),
  });
  const user = userEvent.setup();
  openChat();
  await message(COUNT - 1);
  await user.type(screen.getByRole("textbox", { name: "Message" }), "Hello{Enter}");
  const waiting = await screen.findByRole("article", { name: "Message that waits" });
  await within(waiting).findByText("the server is busy");
  expect(within(waiting).getByText(/next try in (30|29) s/)).toBeTruthy();
});

test("without a connection a banner says so, and what waits is tried when somebody asks for it", async () => {
  const asked = serve({
    ...usual,
    [`POST ${C1}/turns`]: () => {
      throw new TypeError("Failed to fetch");
    },
  });
  const user = userEvent.setup();
  openChat();
  await message(COUNT - 1);
  put("u1/w1/c1", "Hello");
  await screen.findByText("waits for the connection");
  socketOpens();
  socketCloses();
  const before = asked.filter((one) => one.method === "POST").length;
  await user.click(await screen.findByRole("button", { name: "Try now" }));
  await waitFor(() => expect(asked.filter((one) => one.method === "POST").length).toBeGreaterThan(before));
  expect(screen.getByText("No connection.")).toBeTruthy();
});

test("where only the live connection is away, what was sent is sent, and nothing claims to be back", async () => {
  const events = [started(), finished()].map(
    ({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  serve({ ...usual, [`POST ${C1}/turns`]: () => new Response(events.join("")) });
  openChat();
  await message(COUNT - 1);
  socketOpens();
  socketCloses();
  put("u1/w1/c1", "Hello");
  await waitFor(() => expect(waitingIn("u1/w1/c1")).toEqual([]));
  await screen.findByText("Reply 1 is written.");
  expect(screen.queryByText(/Back online/)).toBeNull();
});
