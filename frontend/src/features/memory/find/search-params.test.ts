import { expect, test } from "vitest";
import { findPath } from "../routes";
import { filtersOn, searchOf, wishIn, wishOf } from "./search-params";

test("what is looked for is what the page's address says, there and back", () => {
  const wish = wishOf({
    q: "deploys on fridays",
    corpus: "memories",
    category: "events",
    tags: "a, b",
    top_k: 20,
  });
  const path = findPath(searchOf(wish));
  expect(wishIn(new URLSearchParams(path.split("?")[1]))).toEqual(wish);
});

test("what goes without saying does not stand in the address", () => {
  expect(findPath(searchOf(wishOf({ q: "tea" })))).toBe("/memory/find?q=tea");
});

test("an address that was written by hand asks for nothing absurd", () => {
  expect(wishIn(new URLSearchParams("q=x&corpus=all-of-it&top_k=9999"))).toMatchObject({
    corpus: "all",
    top_k: 50,
  });
  expect(wishIn(new URLSearchParams("q=x&top_k=-1")).top_k).toBe(10);
});

test("filters are counted", () => {
  expect(filtersOn(wishOf({ q: "x" }))).toBe(0);
  expect(filtersOn(wishOf({ q: "x", since: "2026-01-01", tags: "a" }))).toBe(2);
});
