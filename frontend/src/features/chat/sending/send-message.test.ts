import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keys } from "@/api/keys";
import { boxOf, updateUnsent, addUnsent, reloadOutbox, unsentIn } from "@/lib/outbox";
import { finished, started } from "@/testing/messages";
import { json, mockServer } from "@/testing/render";
import { chat, me } from "@/testing/samples";
import { newBox } from "./create-conversation";
import { retryAllNow, startOutboxWorker } from "./outbox-worker";
import { forgetTurn } from "./reply-streams";

const TURNS = "POST /api/conversations/c1/turns";
const BOX = boxOf("u1", "w1", "c1");
const NOW = Date.parse("2026-11-20T10:00:00Z");

let stop: () => void = () => undefined;
let client = new QueryClient();

beforeEach(() => {
  reloadOutbox();
  vi.useFakeTimers({ now: NOW });
  client = new QueryClient();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  forgetTurn("c1");
  forgetTurn("c2");
});

function streamed(): Response {
  const events = [started(), finished()].map(
    ({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  return new Response(events.join(""), { headers: { "Content-Type": "text/event-stream" } });
}

function unreachable(): Response {
  throw new TypeError("Failed to fetch");
}

const startWorker = async () => {
  stop = startOutboxWorker(client, me());
  await advance(100);
};
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const bodies = (requests: Request[]) =>
  Promise.all(requests.map((one) => one.json() as Promise<{ content: string; external_id: string }>));
const rejectWith = (status: number, body: object, headers: HeadersInit = {}) =>
  mockServer({ [TURNS]: () => Response.json(body, { status, headers }) });

test("waiting messages are sent in order and removed", async () => {
  const requests = mockServer({ [TURNS]: streamed });
  addUnsent(BOX, "First");
  addUnsent(BOX, "Second");
  await startWorker();
  expect((await bodies(requests)).map((body) => body.content)).toEqual(["First", "Second"]);
  expect(unsentIn(BOX)).toEqual([]);
});

test("messages of every chat are sent, but not those of another user or workspace", async () => {
  const requests = mockServer({ [TURNS]: streamed, "POST /api/conversations/c2/turns": streamed });
  addUnsent(BOX, "Here");
  addUnsent(boxOf("u1", "w1", "c2"), "In another chat");
  addUnsent(boxOf("u1", "w2", "c1"), "In another workspace");
  addUnsent(boxOf("u2", "w1", "c1"), "Bob's");
  await startWorker();
  expect((await bodies(requests)).map((body) => body.content).sort()).toEqual(["Here", "In another chat"]);
});

test("the first message of a chat is sent even if no page shows the chat", async () => {
  const requests = mockServer({ "POST /api/conversations": () => json(chat("c1"), 201), [TURNS]: streamed });
  addUnsent(newBox(me()), "Hello");
  await startWorker();
  expect(requests.map((one) => new URL(one.url).pathname)).toEqual([
    "/api/conversations",
    "/api/conversations/c1/turns",
  ]);
  expect(unsentIn(BOX)).toEqual([]);
});

test("offline, a message waits and is retried with the same external id", async () => {
  const failing = mockServer({ [TURNS]: unreachable });
  const { externalId } = addUnsent(BOX, "Hello");
  await startWorker();
  expect(unsentIn(BOX)).toMatchObject([{ externalId, delay: "connection", refused: "" }]);
  expect(failing).toHaveLength(1);
  const requests = mockServer({ [TURNS]: streamed });
  await advance(5000);
  expect(await bodies([...failing, ...requests])).toMatchObject([
    { external_id: externalId },
    { external_id: externalId },
  ]);
});

test("it is sent immediately when the connection is back", async () => {
  mockServer({ [TURNS]: unreachable });
  addUnsent(BOX, "Hello");
  await startWorker();
  const requests = mockServer({ [TURNS]: streamed });
  retryAllNow(me(), ["connection"]);
  await advance(10);
  expect(requests).toHaveLength(1);
});

test("a busy server is retried at the time that it gave, not earlier", async () => {
  const busy = rejectWith(429, { code: "rate_limited" }, { "Retry-After": "30" });
  addUnsent(BOX, "Hello");
  await startWorker();
  retryAllNow(me(), ["connection"]);
  await advance(29_000);
  expect(busy).toHaveLength(1);
  expect(unsentIn(BOX)).toMatchObject([{ delay: "busy", refused: "" }]);
  const requests = mockServer({ [TURNS]: streamed });
  await advance(2000);
  expect(requests).toHaveLength(1);
});

test("when the session has ended the message waits for the next sign-in", async () => {
  client.setQueryData(keys.me, me());
  rejectWith(401, { code: "not_signed_in" });
  addUnsent(BOX, "Hello");
  await startWorker();
  expect(unsentIn(BOX)).toMatchObject([{ delay: "session", refused: "" }]);
  expect(client.getQueryData(keys.me)).toBeNull();
});

test("the first message of a chat waits like any other while the server is busy", async () => {
  mockServer({ "POST /api/conversations": () => json({ code: "overloaded" }, 503) });
  addUnsent(newBox(me()), "Hello");
  await startWorker();
  expect(unsentIn(newBox(me()))).toMatchObject([{ delay: "busy", refused: "" }]);
});

test("a rejected message stays, with the reason, and does not block the others", async () => {
  let answers = 0;
  const requests = mockServer({
    [TURNS]: () => {
      answers += 1;
      return answers === 1
        ? json({ code: "budget_beyond_window", detail: "The message is too long." }, 422)
        : streamed();
    },
  });
  addUnsent(BOX, "Too long");
  addUnsent(BOX, "Short");
  await startWorker();
  expect(unsentIn(BOX)).toMatchObject([{ content: "Too long", refused: "The message is too long." }]);
  expect((await bodies(requests)).map((body) => body.content)).toEqual(["Too long", "Short"]);
});

test("while another reply is written the message waits for its end", async () => {
  const requests = rejectWith(409, { code: "turn_running" });
  addUnsent(BOX, "Later");
  await startWorker();
  expect(unsentIn(BOX)).toMatchObject([{ delay: "turn", refused: "" }]);
  expect(requests).toHaveLength(1);
});

test("a message that the server already has is not stored twice", async () => {
  rejectWith(409, { code: "not_the_newest" });
  addUnsent(BOX, "Known");
  await startWorker();
  expect(unsentIn(BOX)).toEqual([]);
});

test("offline, nothing is attempted until the browser is online", async () => {
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const requests = mockServer({ [TURNS]: streamed });
  const { externalId } = addUnsent(BOX, "Hello");
  updateUnsent(BOX, externalId, { notBefore: 0 });
  await startWorker();
  expect(requests).toEqual([]);
  expect(unsentIn(BOX)).toMatchObject([{ delay: "connection" }]);
  online.mockReturnValue(true);
  window.dispatchEvent(new Event("online"));
  await advance(10);
  expect(requests).toHaveLength(1);
  online.mockRestore();
});

test("messages are sent without a delay where windows use locks", async () => {
  let isLocked = false;
  const request = async (_: string, __: object, action: (lock: object | null) => unknown) => {
    if (isLocked) return action(null);
    isLocked = true;
    const done = await action({});
    await new Promise((resolve) => setTimeout(resolve, 20));
    isLocked = false;
    return done;
  };
  Object.defineProperty(navigator, "locks", { configurable: true, value: { request } });
  const requests = mockServer({ [TURNS]: streamed });
  addUnsent(BOX, "First");
  addUnsent(BOX, "Second");
  await startWorker();
  expect(requests).toHaveLength(2);
  Reflect.deleteProperty(navigator, "locks");
});

test("after stopping, nothing is sent", async () => {
  const requests = mockServer({ [TURNS]: streamed });
  addUnsent(BOX, "First");
  addUnsent(BOX, "Second");
  stop = startOutboxWorker(client, me());
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  stop();
  await advance(10_000);
  expect(requests).toHaveLength(1);
});

test("of two windows one sends the message, and the other takes over when it is closed", async () => {
  let isElsewhere = true;
  const request = (_: string, __: object, action: (lock: object | null) => unknown) =>
    Promise.resolve(action(isElsewhere ? null : {}));
  Object.defineProperty(navigator, "locks", { configurable: true, value: { request } });
  const requests = mockServer({ [TURNS]: streamed });
  addUnsent(BOX, "Hello");
  await startWorker();
  expect(requests).toEqual([]);
  isElsewhere = false;
  await advance(5000);
  expect(requests).toHaveLength(1);
  Reflect.deleteProperty(navigator, "locks");
});
