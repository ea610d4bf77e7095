import { expect, test } from "vitest";
import { purposeOf, categoryName, fixedBelow, isFixed, rootsOf } from "./categories";
import { CATEGORIES } from "./testing/samples";

test("top-level folders cannot be changed", () => {
  expect(rootsOf(CATEGORIES)).toEqual(["mem://user", "mem://agent", "mem://sessions"]);
  expect(fixedBelow(CATEGORIES, "mem://agent")).toEqual(["mem://agent/patterns", "mem://agent/cases"]);
  expect(isFixed(CATEGORIES, "mem://user/profile")).toBe(true);
  expect(isFixed(CATEGORIES, "mem://user")).toBe(true);
  expect(isFixed(CATEGORIES, "mem://user/profile/communication")).toBe(false);
});

test("a category has a name and a purpose, and an unknown one is shown by its id", () => {
  expect(categoryName("entities")).toBe("entity");
  expect(categoryName("recipes")).toBe("recipes");
  expect(purposeOf(CATEGORIES, "mem://user/profile")).toBe("Who you are and how you like to work.");
  expect(purposeOf(CATEGORIES, "mem://user/profile/tea")).toBe("");
});
