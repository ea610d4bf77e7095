import { beforeEach, expect, test, vi } from "vitest";
import {
  boxesOf,
  boxOf,
  change,
  countWaiting,
  hasten,
  move,
  put,
  putBack,
  reread,
  take,
  waitingIn,
  watchOutbox,
} from "./outbox";

const NEW = boxOf("u1", "w1", null);

beforeEach(reread);

test("messages wait in the order in which they were said", () => {
  put("c1", "First");
  put("c1", "Second");
  put("c2", "Elsewhere");
  expect(waitingIn("c1").map((one) => one.content)).toEqual(["First", "Second"]);
});

test("they wait over a reload, under the same name", () => {
  const { externalId } = put("c1", "Kept");
  reread();
  expect(waitingIn("c1")).toMatchObject([{ externalId, content: "Kept" }]);
});

test("what was sent or discarded waits no longer", () => {
  const { externalId } = put("c1", "Gone");
  take("c1", externalId);
  reread();
  expect(waitingIn("c1")).toEqual([]);
});

test("what waited for a conversation goes into it with its name", () => {
  const { externalId } = put(NEW, "The beginning");
  move(NEW, "c1");
  expect(waitingIn(NEW)).toEqual([]);
  expect(waitingIn("c1")).toMatchObject([{ externalId, content: "The beginning" }]);
});

test("who looks on hears of every change", () => {
  const watcher = vi.fn();
  const deaf = watchOutbox(watcher);
  const { externalId } = put("c1", "One");
  change("c1", externalId, { refused: "Too long" });
  expect(waitingIn("c1")[0]?.refused).toBe("Too long");
  expect(watcher).toHaveBeenCalledTimes(2);
  deaf();
});

test("what one person wrote is not another's, though they share a browser", () => {
  put(boxOf("u1", "w1", "c1"), "Alice's");
  expect(waitingIn(boxOf("u2", "w1", "c1"))).toEqual([]);
});

test("all that somebody has waiting is found again after a reload, by workspace", () => {
  const [here, elsewhere] = [boxOf("u1", "w1", "c1"), boxOf("u1", "w2", "c2")];
  put(here, "One");
  put(NEW, "Two");
  put(elsewhere, "Three");
  put(boxOf("u2", "w1", "c1"), "Bob's");
  reread();
  expect(boxesOf("u1", "w1")).toEqual([
    { name: here, conversationId: "c1" },
    { name: NEW, conversationId: null },
  ]);
  expect(countWaiting("u1", "w1")).toBe(2);
  expect(countWaiting("u1")).toBe(3);
});

test("what two windows move is not said twice", () => {
  const message = put(NEW, "Hello");
  move(NEW, "c1");
  putBack(NEW, message);
  move(NEW, "c1");
  expect(waitingIn("c1")).toHaveLength(1);
});

test("what waits for the connection goes at once when it is back, not what the server holds up", () => {
  const [first, second] = [put("c1", "First"), put("c1", "Second")];
  change("c1", first.externalId, { delay: "connection", notBefore: 5 });
  change("c1", second.externalId, { delay: "busy", notBefore: 5 });
  hasten("c1", ["connection"]);
  expect(waitingIn("c1").map((one) => one.notBefore)).toEqual([0, 5]);
});

test("what another window has just put there is not lost", () => {
  const first = put("c1", "First");
  const there = JSON.parse(localStorage.getItem("continuity:outbox:c1") ?? "[]") as object[];
  const second = { ...first, externalId: "second", content: "Second" };
  localStorage.setItem("continuity:outbox:c1", JSON.stringify([...there, second]));
  take("c1", first.externalId);
  expect(waitingIn("c1").map((one) => one.content)).toEqual(["Second"]);
});

test("what the browser will not keep waits all the same", () => {
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new Error("full");
  });
  put("c9", "First");
  put("c9", "Second");
  expect(waitingIn("c9").map((one) => one.content)).toEqual(["First", "Second"]);
  full.mockRestore();
});
