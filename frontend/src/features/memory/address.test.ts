import { expect, test } from "vitest";
import { nameOf, parentOf, rootOf, titleOf, trailOf } from "./address";

test("an address is a path of directories from its root", () => {
  expect(trailOf("mem://user/events/deploy")).toEqual([
    "mem://user",
    "mem://user/events",
    "mem://user/events/deploy",
  ]);
  expect(parentOf("mem://user/events")).toBe("mem://user");
  expect(parentOf("mem://user")).toBeNull();
  expect(rootOf("mem://agent/cases/a/b")).toBe("mem://agent");
  expect(nameOf("mem://agent/cases/gapless-counter")).toBe("gapless-counter");
});

test("a name becomes a readable title, and dates stay intact", () => {
  expect(titleOf("mem://agent/patterns/backfill-in-keyed-batches")).toBe("Backfill in keyed batches");
  expect(titleOf("mem://user/events/2026-11-09-schema-frozen")).toBe("2026-11-09-schema frozen");
});
