import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Unreachable } from "@/api/problems";
import type { TurnEvent } from "@/api/turns";
import { followTurn, forgetTurn, isReplying, leaveTurn, turnIn } from "./reply-streams";
import { finished, said, started } from "@/testing/messages";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  forgetTurn("c1");
});

async function* telling(...events: TurnEvent[]) {
  for (const event of events) yield await Promise.resolve(event);
}

const delta = (text: string): TurnEvent => ({ name: "delta", data: { text } });

test("a reply grows and ends", async () => {
  const turn = await followTurn("c1", () => telling(started(), delta("One "), delta("two"), finished()));
  expect(turn).toMatchObject({ said: said(), text: "One two", state: "ended" });
});

test("many pieces are shown together", async () => {
  const seen: string[] = [];
  let more: () => void = () => undefined;
  async function* slowly() {
    yield started();
    yield delta("One ");
    yield delta("two ");
    await new Promise<void>((resolve) => (more = resolve));
    yield finished();
  }
  const done = followTurn("c1", slowly);
  await vi.advanceTimersByTimeAsync(1);
  seen.push(turnIn("c1")?.text ?? "");
  await vi.advanceTimersByTimeAsync(60);
  seen.push(turnIn("c1")?.text ?? "");
  more();
  await done;
  expect(seen).toEqual(["", "One two "]);
});

test("the message is stored as soon as the reply begins", async () => {
  const stored = vi.fn();
  await followTurn("c1", () => telling(started(), finished()), stored);
  expect(stored).toHaveBeenCalledOnce();
});

test("a connection lost in the middle keeps what came", async () => {
  async function* breaking() {
    yield* telling(started(), delta("Half"));
    throw new TypeError("network error");
  }
  expect(await followTurn("c1", breaking)).toMatchObject({ text: "Half", state: "broken" });
});

test("a stream that ends without its end is broken too", async () => {
  expect(await followTurn("c1", () => telling(started(), delta("Half")))).toMatchObject({ state: "broken" });
});

test("what did not begin leaves nothing behind", async () => {
  await expect(followTurn("c1", () => telling())).rejects.toBeInstanceOf(Unreachable);
  expect(turnIn("c1")).toBeNull();
});

test("a try that fails keeps what was known before", async () => {
  await followTurn("c1", () => telling(started(), delta("Half")));
  await expect(followTurn("c1", () => telling())).rejects.toThrow();
  expect(turnIn("c1")).toMatchObject({ text: "Half", state: "broken" });
});

test("a stream that hangs can be left", async () => {
  async function* hanging(signal: AbortSignal) {
    yield started();
    await new Promise((_, fail) => signal.addEventListener("abort", () => fail(new Error("left"))));
  }
  const done = followTurn("c1", hanging);
  await vi.advanceTimersByTimeAsync(1);
  leaveTurn("c1");
  expect(await done).toMatchObject({ state: "broken" });
});

test("a reply is being written until both have heard of its end", async () => {
  expect(isReplying(null, null)).toBe(false);
  expect(isReplying(null, { reply_id: "r1" })).toBe(true);
  const ended = await followTurn("c1", () => telling(started(), finished()));
  expect(isReplying(ended, { reply_id: "r1" })).toBe(false);
  expect(isReplying(ended, { reply_id: "r2" })).toBe(true);
});
