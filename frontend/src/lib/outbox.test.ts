import { beforeEach, expect, test, vi } from "vitest";
import { boxOf, change, move, put, reread, take, waitingIn, watchOutbox } from "./outbox";

const NEW = boxOf("u1", null, "w1");

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
  put(boxOf("u1", "c1"), "Alice's");
  expect(waitingIn(boxOf("u2", "c1"))).toEqual([]);
});
