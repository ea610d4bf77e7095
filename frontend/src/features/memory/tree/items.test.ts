import { expect, test } from "vitest";
import { CATEGORIES, folder, line } from "../testing/samples";
import { itemsOf } from "./items";

test("the categories stand in a root before anything was written, with nothing in them", () => {
  const items = itemsOf(CATEGORIES, "mem://user", []);
  expect(items.map(({ name, count }) => [name, count])).toEqual([
    ["profile", 0],
    ["preferences", 0],
    ["entities", 0],
    ["events", 0],
  ]);
});

test("a directory that one has as the team does is one, with what is in both", () => {
  const own = folder("mem://agent/patterns", { id: "a", child_count: 2 });
  const team = folder("mem://agent/patterns", { id: "b", owner_id: null, child_count: 3 });
  const patterns = itemsOf(CATEGORIES, "mem://agent", [own, team]).filter(({ name }) => name === "patterns");
  expect(patterns).toMatchObject([{ count: 5 }]);
});

test("one's own memory at an address that the team has too is told apart", () => {
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
