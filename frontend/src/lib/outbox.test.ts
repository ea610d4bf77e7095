import { beforeEach, expect, test, vi } from "vitest";
import {
  boxesOf,
  boxOf,
  updateUnsent,
  countUnsent,
  retryUnsentNow,
  moveUnsent,
  addUnsent,
  restoreUnsent,
  reloadOutbox,
  removeUnsent,
  unsentIn,
  subscribeToOutbox,
} from "./outbox";

const NEW = boxOf("u1", "w1", null);

beforeEach(reloadOutbox);

test("messages wait in the order in which they were written", () => {
  addUnsent("c1", "First");
  addUnsent("c1", "Second");
  addUnsent("c2", "Elsewhere");
  expect(unsentIn("c1").map((one) => one.content)).toEqual(["First", "Second"]);
});

test("messages survive a reload with the same external id", () => {
  const { externalId } = addUnsent("c1", "Kept");
  reloadOutbox();
  expect(unsentIn("c1")).toMatchObject([{ externalId, content: "Kept" }]);
});

test("a sent or discarded message is removed", () => {
  const { externalId } = addUnsent("c1", "Gone");
  removeUnsent("c1", externalId);
  reloadOutbox();
  expect(unsentIn("c1")).toEqual([]);
});

test("messages of a new conversation move into it with their external ids", () => {
  const { externalId } = addUnsent(NEW, "The beginning");
  moveUnsent(NEW, "c1");
  expect(unsentIn(NEW)).toEqual([]);
  expect(unsentIn("c1")).toMatchObject([{ externalId, content: "The beginning" }]);
});

test("subscribers are notified of every change", () => {
  const subscriber = vi.fn();
  const unsubscribe = subscribeToOutbox(subscriber);
  const { externalId } = addUnsent("c1", "One");
  updateUnsent("c1", externalId, { refused: "Too long" });
  expect(unsentIn("c1")[0]?.refused).toBe("Too long");
  expect(subscriber).toHaveBeenCalledTimes(2);
  unsubscribe();
});

test("people who share a browser do not see each other's messages", () => {
  addUnsent(boxOf("u1", "w1", "c1"), "Alice's");
  expect(unsentIn(boxOf("u2", "w1", "c1"))).toEqual([]);
});

test("a user's unsent messages are listed by workspace after a reload", () => {
  const [here, elsewhere] = [boxOf("u1", "w1", "c1"), boxOf("u1", "w2", "c2")];
  addUnsent(here, "One");
  addUnsent(NEW, "Two");
  addUnsent(elsewhere, "Three");
  addUnsent(boxOf("u2", "w1", "c1"), "Bob's");
  reloadOutbox();
  expect(boxesOf("u1", "w1")).toEqual([
    { name: here, conversationId: "c1" },
    { name: NEW, conversationId: null },
  ]);
  expect(countUnsent("u1", "w1")).toBe(2);
  expect(countUnsent("u1")).toBe(3);
});

test("a message that two windows move is stored once", () => {
  const message = addUnsent(NEW, "Hello");
  moveUnsent(NEW, "c1");
  restoreUnsent(NEW, message);
  moveUnsent(NEW, "c1");
  expect(unsentIn("c1")).toHaveLength(1);
});

test("messages delayed by the connection are retried when it is back, those delayed by the server are not", () => {
  const [first, second] = [addUnsent("c1", "First"), addUnsent("c1", "Second")];
  updateUnsent("c1", first.externalId, { delay: "connection", notBefore: 5 });
  updateUnsent("c1", second.externalId, { delay: "busy", notBefore: 5 });
  retryUnsentNow("c1", ["connection"]);
  expect(unsentIn("c1").map((one) => one.notBefore)).toEqual([0, 5]);
});

test("a message that another window has just added is not lost", () => {
  const first = addUnsent("c1", "First");
  const there = JSON.parse(localStorage.getItem("continuity:outbox:c1") ?? "[]") as object[];
  const second = { ...first, externalId: "second", content: "Second" };
  localStorage.setItem("continuity:outbox:c1", JSON.stringify([...there, second]));
  removeUnsent("c1", first.externalId);
  expect(unsentIn("c1").map((one) => one.content)).toEqual(["Second"]);
});

test("messages wait in memory when the browser cannot store them", () => {
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new Error("full");
  });
  addUnsent("c9", "First");
  addUnsent("c9", "Second");
  expect(unsentIn("c9").map((one) => one.content)).toEqual(["First", "Second"]);
  full.mockRestore();
});
