import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Unreachable } from "@/api/problems";
import type { TurnEvent } from "@/api/turns";
import { followTurn, forgetTurn, isReplying, stopFollowing, turnIn } from "./reply-streams";
import { finished, userMessage, started } from "@/testing/messages";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  forgetTurn("c1");
});

async function* streamOf(...events: TurnEvent[]) {
  for (const event of events) yield await Promise.resolve(event);
}

const delta = (text: string): TurnEvent => ({ name: "delta", data: { text } });

test("a reply grows and ends", async () => {
  const turn = await followTurn("c1", () => streamOf(started(), delta("One "), delta("two"), finished()));
  expect(turn).toMatchObject({ message: userMessage(), text: "One two", state: "ended" });
});

test("deltas are batched", async () => {
  const seen: string[] = [];
  let more: () => void = () => undefined;
  async function* slowStream() {
    yield started();
    yield delta("One ");
    yield delta("two ");
    await new Promise<void>((resolve) => (more = resolve));
    yield finished();
  }
  const done = followTurn("c1", slowStream);
  await vi.advanceTimersByTimeAsync(1);
  seen.push(turnIn("c1")?.text ?? "");
  await vi.advanceTimersByTimeAsync(60);
  seen.push(turnIn("c1")?.text ?? "");
  more();
  await done;
  expect(seen).toEqual(["", "One two "]);
});

test("the message is removed from the outbox when the reply starts", async () => {
  const stored = vi.fn();
  await followTurn("c1", () => streamOf(started(), finished()), stored);
  expect(stored).toHaveBeenCalledOnce();
});

test("a connection lost in the middle keeps the received text", async () => {
  async function* breakingStream() {
    yield* streamOf(started(), delta("Half"));
    throw new TypeError("network error");
  }
  expect(await followTurn("c1", breakingStream)).toMatchObject({ text: "Half", state: "broken" });
});

test("a stream without a final event is broken too", async () => {
  expect(await followTurn("c1", () => streamOf(started(), delta("Half")))).toMatchObject({ state: "broken" });
});

test("a turn that did not start leaves no state", async () => {
  await expect(followTurn("c1", () => streamOf())).rejects.toBeInstanceOf(Unreachable);
  expect(turnIn("c1")).toBeNull();
});

test("a failed attempt restores the previous state", async () => {
  await followTurn("c1", () => streamOf(started(), delta("Half")));
  await expect(followTurn("c1", () => streamOf())).rejects.toThrow();
  expect(turnIn("c1")).toMatchObject({ text: "Half", state: "broken" });
});

test("a hanging stream can be aborted", async () => {
  async function* hangingStream(signal: AbortSignal) {
    yield started();
    await new Promise((_, fail) => signal.addEventListener("abort", () => fail(new Error("left"))));
  }
  const done = followTurn("c1", hangingStream);
  await vi.advanceTimersByTimeAsync(1);
  stopFollowing("c1");
  expect(await done).toMatchObject({ state: "broken" });
});

test("a reply is in progress until both the stream and the socket report its end", async () => {
  expect(isReplying(null, null)).toBe(false);
  expect(isReplying(null, { reply_id: "r1" })).toBe(true);
  const outcome = await followTurn("c1", () => streamOf(started(), finished()));
  expect(isReplying(outcome, { reply_id: "r1" })).toBe(false);
  expect(isReplying(outcome, { reply_id: "r2" })).toBe(true);
});
