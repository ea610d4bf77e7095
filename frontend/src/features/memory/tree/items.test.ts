import { expect, test } from "vitest";
import { CATEGORIES, folder, line } from "../testing/samples";
import { itemsOf } from "./items";

test("the categories are shown in a root before it has content", () => {
  const items = itemsOf(CATEGORIES, "mem://user", []);
  expect(items.map(({ name, count }) => [name, count])).toEqual([
    ["profile", 0],
    ["preferences", 0],
    ["entities", 0],
    ["events", 0],
  ]);
});

test("a folder that the user and the team both have is shown once, with both counts", () => {
  const own = folder("mem://agent/patterns", { id: "a", child_count: 2 });
  const team = folder("mem://agent/patterns", { id: "b", owner_id: null, child_count: 3 });
  const patterns = itemsOf(CATEGORIES, "mem://agent", [own, team]).filter(({ name }) => name === "patterns");
  expect(patterns).toMatchObject([{ count: 5 }]);
});

test("the user's own memory at an address of a team memory is marked as private", () => {
  const uri = "mem://agent/cases/counter";
  const items = itemsOf(CATEGORIES, "mem://agent/cases", [
    line(uri, { id: "mine" }),
    line(uri, { id: "ours", owner_id: null, shared: true }),
  ]);
  expect(items.map(({ key, isPrivate }) => [key, isPrivate])).toEqual([
    ["mine", true],
    ["ours", false],
  ]);
});

test("as long as nothing is loaded, the counts are unknown", () => {
  const items = itemsOf(CATEGORIES, "mem://user", undefined);
  expect(items.map(({ count }) => count)).toEqual([null, null, null, null]);
});
