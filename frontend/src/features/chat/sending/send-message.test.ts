import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keys } from "@/api/keys";
import { boxOf, change, put, reread, waitingIn } from "@/lib/outbox";
import { finished, started } from "@/testing/messages";
import { json, serve } from "@/testing/render";
import { chat, me } from "@/testing/samples";
import { newBox } from "./create-conversation";
import { hastenAll, keepSending } from "./outbox-worker";
import { forgetTurn } from "./reply-streams";

const TURNS = "POST /api/conversations/c1/turns";
const BOX = boxOf("u1", "w1", "c1");
const NOW = Date.parse("2026-11-20T10:00:00Z");

let stop: () => void = () => undefined;
let client = new QueryClient();

beforeEach(() => {
  reread();
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

const begin = async () => {
  stop = keepSending(client, me());
  await pass(100);
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const bodies = (asked: Request[]) =>
  Promise.all(asked.map((one) => one.json() as Promise<{ content: string; external_id: string }>));
const refusing = (status: number, body: object, headers: HeadersInit = {}) =>
  serve({ [TURNS]: () => Response.json(body, { status, headers }) });

test("what waits is sent in order, and waits no longer", async () => {
  const asked = serve({ [TURNS]: streamed });
  put(BOX, "First");
  put(BOX, "Second");
  await begin();
  expect((await bodies(asked)).map((body) => body.content)).toEqual(["First", "Second"]);
  expect(waitingIn(BOX)).toEqual([]);
});

test("what waits for any chat is sent, whichever is open, but not another person's or workspace's", async () => {
  const asked = serve({ [TURNS]: streamed, "POST /api/conversations/c2/turns": streamed });
  put(BOX, "Here");
  put(boxOf("u1", "w1", "c2"), "In another chat");
  put(boxOf("u1", "w2", "c1"), "In another workspace");
  put(boxOf("u2", "w1", "c1"), "Bob's");
  await begin();
  expect((await bodies(asked)).map((body) => body.content).sort()).toEqual(["Here", "In another chat"]);
});

test("the first message of a chat goes into it, though nobody waits for it there", async () => {
  const asked = serve({ "POST /api/conversations": () => json(chat("c1"), 201), [TURNS]: streamed });
  put(newBox(me()), "Hello");
  await begin();
  expect(asked.map((one) => new URL(one.url).pathname)).toEqual([
    "/api/conversations",
    "/api/conversations/c1/turns",
  ]);
  expect(waitingIn(BOX)).toEqual([]);
});

test("without a connection it waits, is tried again, and goes under the same name", async () => {
  const failing = serve({ [TURNS]: unreachable });
  const { externalId } = put(BOX, "Hello");
  await begin();
  expect(waitingIn(BOX)).toMatchObject([{ externalId, delay: "connection", refused: "" }]);
  expect(failing).toHaveLength(1);
  const asked = serve({ [TURNS]: streamed });
  await pass(5000);
  expect(await bodies([...failing, ...asked])).toMatchObject([
    { external_id: externalId },
    { external_id: externalId },
  ]);
});

test("it goes at once when the connection is back", async () => {
  serve({ [TURNS]: unreachable });
  put(BOX, "Hello");
  await begin();
  const asked = serve({ [TURNS]: streamed });
  hastenAll(me(), ["connection"]);
  await pass(10);
  expect(asked).toHaveLength(1);
});

test("a busy server is asked again when it says so, not before", async () => {
  const busy = refusing(429, { code: "rate_limited" }, { "Retry-After": "30" });
  put(BOX, "Hello");
  await begin();
  hastenAll(me(), ["connection"]);
  await pass(29_000);
  expect(busy).toHaveLength(1);
  expect(waitingIn(BOX)).toMatchObject([{ delay: "busy", refused: "" }]);
  const asked = serve({ [TURNS]: streamed });
  await pass(2000);
  expect(asked).toHaveLength(1);
});

test("when the session is over the message waits for the sign-in", async () => {
  client.setQueryData(keys.me, me());
  refusing(401, { code: "not_signed_in" });
  put(BOX, "Hello");
  await begin();
  expect(waitingIn(BOX)).toMatchObject([{ delay: "session", refused: "" }]);
  expect(client.getQueryData(keys.me)).toBeNull();
});

test("the first message of a chat waits like any other while the server is busy", async () => {
  serve({ "POST /api/conversations": () => json({ code: "overloaded" }, 503) });
  put(newBox(me()), "Hello");
  await begin();
  expect(waitingIn(newBox(me()))).toMatchObject([{ delay: "busy", refused: "" }]);
});

test("what the server refuses stays, with the reason, and does not hold up the rest", async () => {
  let answers = 0;
  const asked = serve({
    [TURNS]: () => {
      answers += 1;
      return answers === 1
        ? json({ code: "budget_beyond_window", detail: "The message is too long." }, 422)
        : streamed();
    },
  });
  put(BOX, "Too long");
  put(BOX, "Short");
  await begin();
  expect(waitingIn(BOX)).toMatchObject([{ content: "Too long", refused: "The message is too long." }]);
  expect((await bodies(asked)).map((body) => body.content)).toEqual(["Too long", "Short"]);
});

test("while a reply is written elsewhere the message waits for its end", async () => {
  const asked = refusing(409, { code: "turn_running" });
  put(BOX, "Later");
  await begin();
  expect(waitingIn(BOX)).toMatchObject([{ delay: "turn", refused: "" }]);
  expect(asked).toHaveLength(1);
});

test("a message that the server has already is not said again", async () => {
  refusing(409, { code: "not_the_newest" });
  put(BOX, "Known");
  await begin();
  expect(waitingIn(BOX)).toEqual([]);
});

test("without a network nothing is tried until the browser says that it is back", async () => {
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const asked = serve({ [TURNS]: streamed });
  const { externalId } = put(BOX, "Hello");
  change(BOX, externalId, { notBefore: 0 });
  await begin();
  expect(asked).toEqual([]);
  expect(waitingIn(BOX)).toMatchObject([{ delay: "connection" }]);
  online.mockReturnValue(true);
  window.dispatchEvent(new Event("online"));
  await pass(10);
  expect(asked).toHaveLength(1);
  online.mockRestore();
});

test("what waits is sent without a pause where windows lock each other out", async () => {
  let isHeld = false;
  const request = async (_: string, __: object, deed: (lock: object | null) => unknown) => {
    if (isHeld) return deed(null);
    isHeld = true;
    const done = await deed({});
    await new Promise((resolve) => setTimeout(resolve, 20));
    isHeld = false;
    return done;
  };
  Object.defineProperty(navigator, "locks", { configurable: true, value: { request } });
  const asked = serve({ [TURNS]: streamed });
  put(BOX, "First");
  put(BOX, "Second");
  await begin();
  expect(asked).toHaveLength(2);
  Reflect.deleteProperty(navigator, "locks");
});

test("after the end nothing more is sent", async () => {
  const asked = serve({ [TURNS]: streamed });
  put(BOX, "First");
  put(BOX, "Second");
  stop = keepSending(client, me());
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  stop();
  await pass(10_000);
  expect(asked).toHaveLength(1);
});

test("of two windows one sends it, and the other where that one was closed", async () => {
  let isElsewhere = true;
  const request = (_: string, __: object, deed: (lock: object | null) => unknown) =>
    Promise.resolve(deed(isElsewhere ? null : {}));
  Object.defineProperty(navigator, "locks", { configurable: true, value: { request } });
  const asked = serve({ [TURNS]: streamed });
  put(BOX, "Hello");
  await begin();
  expect(asked).toEqual([]);
  isElsewhere = false;
  await pass(5000);
  expect(asked).toHaveLength(1);
  Reflect.deleteProperty(navigator, "locks");
});
