import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { put, reread, waitingIn } from "@/lib/outbox";
import { finished, started } from "@/testing/messages";
import { json, serve } from "@/testing/render";
import { sendWaiting } from "./sender";
import { forgetTurn, turnIn } from "./turns-store";

const TURNS = "POST /api/conversations/c1/turns";
const errand = { client: new QueryClient(), id: "c1", box: "u1/c1" };

beforeEach(reread);
afterEach(() => forgetTurn("c1"));

function streamed(): Response {
  const events = [started(), finished()].map(
    ({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  return new Response(events.join(""), { headers: { "Content-Type": "text/event-stream" } });
}

const bodies = (asked: Request[]) =>
  Promise.all(asked.map((one) => one.json() as Promise<{ content: string }>));

test("what waits is sent in order, and waits no longer", async () => {
  const asked = serve({ [TURNS]: streamed });
  put("u1/c1", "First");
  put("u1/c1", "Second");
  await sendWaiting(errand);
  expect((await bodies(asked)).map((body) => body.content)).toEqual(["First", "Second"]);
  expect(waitingIn("u1/c1")).toEqual([]);
});

test("without a connection it waits and goes again under the same name", async () => {
  const failing = serve({
    [TURNS]: () => {
      throw new TypeError("Failed to fetch");
    },
  });
  const { externalId } = put("u1/c1", "Hello");
  await sendWaiting(errand);
  expect(waitingIn("u1/c1")).toMatchObject([{ externalId, delayed: true, refused: "" }]);
  const asked = serve({ [TURNS]: streamed });
  await sendWaiting(errand);
  const names = [...(await bodies(failing)), ...(await bodies(asked))];
  expect(names).toMatchObject([{ external_id: externalId }, { external_id: externalId }]);
});

test("what the server refuses stays, with the reason, and does not hold up the rest", async () => {
  serve({ [TURNS]: () => json({ code: "budget_beyond_window", detail: "The message is too long." }, 422) });
  put("u1/c1", "Too long");
  await sendWaiting(errand);
  expect(waitingIn("u1/c1")).toMatchObject([{ refused: "The message is too long." }]);
  const asked = serve({ [TURNS]: streamed });
  put("u1/c1", "Short");
  await sendWaiting(errand);
  expect(await bodies(asked)).toMatchObject([{ content: "Short" }]);
});

test("while a reply is written elsewhere the message waits", async () => {
  serve({ [TURNS]: () => json({ code: "turn_running" }, 409) });
  put("u1/c1", "Later");
  await sendWaiting(errand);
  expect(waitingIn("u1/c1")).toMatchObject([{ delayed: false, refused: "" }]);
  expect(turnIn("c1")).toBeNull();
});

test("a message that the server has already is not said again", async () => {
  serve({ [TURNS]: () => json({ code: "not_the_newest" }, 409) });
  put("u1/c1", "Known");
  await sendWaiting(errand);
  expect(waitingIn("u1/c1")).toEqual([]);
});
