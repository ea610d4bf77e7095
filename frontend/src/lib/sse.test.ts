import { expect, test } from "vitest";
import { serverEvents } from "./sse";

function body(...pieces: string[]): ReadableStream<Uint8Array> {
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
  return new ReadableStream({
    start(controller) {
      for (const piece of bytes) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function all(stream: ReadableStream<Uint8Array>) {
  const events = [];
  for await (const event of serverEvents(stream)) events.push(event);
  return events;
}

test("events are parsed whatever the chunk boundaries", async () => {
  const events = await all(body("event: del", 'ta\ndata: {"text":"a"}\n', "\nevent: finished\ndata: {}\n\n"));
  expect(events).toEqual([
    { name: "delta", data: { text: "a" } },
    { name: "finished", data: {} },
  ]);
});

test("keep-alive comments are not events", async () => {
  expect(await all(body(": keepalive\n\n"))).toEqual([]);
});
