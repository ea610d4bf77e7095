import { expect, test } from "vitest";
import { findPath } from "../routes";
import { countFilters, withoutDefaults, parseSearch, withDefaults } from "./search-params";

test("search parameters survive a round trip through the URL", () => {
  const params = withDefaults({
    q: "deploys on fridays",
    mode: "search",
    corpus: "memories",
    category: "events",
    tags: "a, b",
    top_k: 20,
  });
  const path = findPath(withoutDefaults(params));
  expect(parseSearch(new URLSearchParams(path.split("?")[1]))).toEqual(params);
});

test("default values are not in the URL", () => {
  expect(findPath(withoutDefaults(withDefaults({ q: "tea" })))).toBe("/memory/find?q=tea");
});

test("invalid values in the URL fall back to defaults", () => {
  expect(parseSearch(new URLSearchParams("q=x&mode=guess&corpus=all-of-it&top_k=9999"))).toMatchObject({
    mode: "find",
    corpus: "all",
    top_k: 50,
  });
  expect(parseSearch(new URLSearchParams("q=x&top_k=-1")).top_k).toBe(10);
});

test("active filters are counted", () => {
  expect(countFilters(withDefaults({ q: "x" }))).toBe(0);
  expect(countFilters(withDefaults({ q: "x", since: "2026-01-01", tags: "a" }))).toBe(2);
});
