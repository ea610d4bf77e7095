import { expect, test } from "vitest";
import { fixedBelow, isFixed, nameOf, parentOf, rootOf, slug, titleOf, trailOf } from "./address";

test("an address is a trail of directories from its root", () => {
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

test("the roots of the tree and of its categories are there always", () => {
  expect(fixedBelow("mem://agent")).toEqual(["mem://agent/patterns", "mem://agent/cases"]);
  expect(isFixed("mem://user/profile")).toBe(true);
  expect(isFixed("mem://user/profile/communication")).toBe(false);
});

test("a name is read as words, and its dates stay dates", () => {
  expect(titleOf("mem://agent/patterns/backfill-in-keyed-batches")).toBe("Backfill in keyed batches");
  expect(titleOf("mem://user/events/2026-11-09-schema-frozen")).toBe("2026-11-09-schema frozen");
});

test.each([
  ["  Coding Style (Python 3!) ", "coding-style-python-3"],
  ["Żółć ﬁrst", "żółć-first"],
  ["?!", ""],
  ["a".repeat(80), "a".repeat(64)],
])("the name of %j in an address is %j", (text, name) => {
  expect(slug(text)).toBe(name);
});
