import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { clearToasts } from "@/components/toast";
import type { View } from "@/events/reducer";
import { keep } from "@/lib/storage";
import { put, reread, waitingIn } from "@/lib/outbox";
import { layOut } from "@/testing/layout";
import { fakeSockets, InLive, socketCloses, socketOpens } from "@/testing/live";
import { finished, said, started } from "@/testing/messages";
import { json, serve, show } from "@/testing/render";
import { chat, page } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { Chat, type ChatProps } from "./chat";
import { forgetTurn } from "./sending/turns-store";

const C1 = "/api/conversations/c1";
const COUNT = 120;

function messages(request: Request): Response {
  const from = Number(new URL(request.url).searchParams.get("from_index"));
  const shown = Array.from({ length: Math.min(50, COUNT - from) }, (_, place) => {
    const index = from + place;
    return said({ id: `m${index}`, index, role: index % 2 ? "assistant" : "user", content: `Text ${index}` });
  });
  return json(page(shown));
}

const usual = {
  [`GET ${C1}`]: () => json(chat("c1", { message_count: COUNT })),
  [`GET ${C1}/messages`]: messages,
  [`GET ${C1}/compactions`]: () => json(page([])),
};

function open(props: Partial<ChatProps> = {}) {
  return show(
    <InShell>
      <InLive>
        <Chat id="c1" view={null} {...props} />
      </InLive>
    </InShell>,
  );
}

beforeEach(() => {
  fakeSockets();
  reread();
  forgetTurn("c1");
  clearToasts();
  layOut();
});

const message = (index: number) => screen.findByRole("article", { name: new RegExp(`^Message ${index},`) });
const focused = () => (document.activeElement as HTMLElement).dataset.messageIndex;

test("a conversation opens at its newest message, with few messages in the page", async () => {
  const asked = serve(usual);
  const { container } = open();
  await message(COUNT - 1);
  expect(container.querySelectorAll("[data-message-index]").length).toBeLessThan(60);
  const pages = asked.filter((one) => one.url.includes("/messages")).map((one) => new URL(one.url).search);
  expect(pages[0]).toContain("from_index=100");
});

test("a conversation that is not there offers a way back", async () => {
  serve({ ...usual, [`GET ${C1}`]: () => json({ code: "not_found", title: "There is nothing here" }, 404) });
  open();
  expect((await screen.findByRole("alert")).textContent).toContain("There is nothing here");
  expect(screen.getByRole("button", { name: "Back to the chats" })).toBeTruthy();
});

test("an empty conversation says what comes here", async () => {
  serve({ ...usual, [`GET ${C1}`]: () => json(chat("c1", { message_count: 0 })) });
  open();
  expect(await screen.findByText("Nothing said yet")).toBeTruthy();
});

test("the arrow keys walk through the messages, and letters act on the one in focus", async () => {
  const pin = { id: "p1", message_id: "m118", token_count: 7 };
  const asked = serve({
    ...usual,
    [`GET ${C1}/pins`]: () => json(page([])),
    [`POST ${C1}/pins`]: () => json(pin, 201),
  });
  const user = userEvent.setup();
  open();
  (await message(COUNT - 1)).focus();
  await user.keyboard("{ArrowUp}");
  await waitFor(() => expect(focused()).toBe("118"));
  await user.keyboard("p");
  expect(await screen.findByText("Message 118 pinned, 7 tokens")).toBeTruthy();
  const made = asked.find((one) => one.method === "POST");
  expect(await made?.json()).toMatchObject({ message_id: "m118" });
});

test("single letters can be switched off", async () => {
  keep("single-keys", false);
  const asked = serve(usual);
  const user = userEvent.setup();
  open();
  (await message(COUNT - 1)).focus();
  await user.keyboard("pxr");
  expect(asked.filter((one) => one.method !== "GET")).toEqual([]);
});

test("excluding a message can be undone", async () => {
  const asked = serve({ ...usual, [`POST ${C1}/exclusions`]: () => json({ changed: ["m119"], folded: [] }) });
  const user = userEvent.setup();
  open();
  (await message(COUNT - 1)).focus();
  await user.keyboard("x");
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  const bodies = await Promise.all(asked.filter((one) => one.method === "POST").map((one) => one.json()));
  expect(bodies).toMatchObject([
    { message_ids: ["m119"], excluded: true },
    { message_ids: ["m119"], excluded: false },
  ]);
});

test("what is sent without a connection waits, and can be discarded and taken back", async () => {
  serve({
    ...usual,
    [`POST ${C1}/turns`]: () => {
      throw new TypeError("Failed to fetch");
    },
  });
  const user = userEvent.setup();
  open();
  await message(COUNT - 1);
  socketOpens();
  socketCloses();
  await user.type(screen.getByRole("textbox", { name: "Message" }), "Hello{Enter}");
  const waiting = await screen.findByRole("article", { name: "Message that waits" });
  await within(waiting).findByText("waits for the connection");
  await user.click(within(waiting).getByRole("button", { name: "Discard" }));
  expect(waitingIn("u1/c1")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(waitingIn("u1/c1")).toMatchObject([{ content: "Hello" }]);
});

test("what waited is sent when the connection is back, and that is said", async () => {
  const events = [started(), finished()].map(
    ({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  const { externalId } = put("u1/c1", "Hello");
  let isAway = true;
  const asked = serve({
    ...usual,
    [`POST ${C1}/turns`]: () => {
      if (isAway) throw new TypeError("Failed to fetch");
      return new Response(events.join(""));
    },
  });
  open();
  await screen.findByText("waits for the connection");
  isAway = false;
  socketOpens();
  expect(await screen.findByText("Back online. 1 message sent, 1 reply fetched.")).toBeTruthy();
  const bodies = await Promise.all(asked.filter((one) => one.method === "POST").map((one) => one.json()));
  expect(new Set(bodies.map((body: { external_id: string }) => body.external_id))).toEqual(
    new Set([externalId]),
  );
});

test("a message is shown when somebody asks for it", async () => {
  serve(usual);
  open({ place: { index: 3, asked: 1 } });
  await waitFor(() => expect(focused()).toBe("3"));
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
  open({ view });
  socketOpens();
  expect(await screen.findByText("Heard elsewhere")).toBeTruthy();
  expect(asked.filter((one) => one.url.endsWith("/turns/current"))).toHaveLength(1);
});

function liveState() {
  return {
    conversation: { title: "Chat", archived_at: null, edited: 1, share_count: 0 },
    counts: { message_count: 0 },
    compaction: null,
    turn: { reply_id: "r1", index: 1, since: "2026-11-20T10:00:00Z" },
    pins: [],
    messages: [],
  };
}

test("a new chat is made with its first message", async () => {
  const asked = serve({ "POST /api/conversations": () => json(chat("c1"), 201) });
  const user = userEvent.setup();
  open({ id: null, welcome: <p>Welcome</p> });
  expect(screen.getByText("Welcome")).toBeTruthy();
  await user.type(screen.getByRole("textbox", { name: "Message" }), "Move billing{Enter}");
  await waitFor(() => expect(waitingIn("u1/c1")).toMatchObject([{ content: "Move billing" }]));
  expect(await asked[0]?.json()).toMatchObject({ title: "Move billing" });
});
