import { expect, test } from "vitest";
import { daysAgo, node } from "../testing/samples";
import { curveOf, relevanceAfter } from "./curve";

test("half of it is left after a half-life, and never less than the floor", () => {
  expect(relevanceAfter(node(), 90)).toBeCloseTo(0.5);
  expect(relevanceAfter(node({ base_relevance: 0.8 }), 90)).toBeCloseTo(0.4);
  expect(relevanceAfter(node(), 900)).toBe(0.1);
});

test("what is exempt does not fade", () => {
  const exempt = { half_life_days: 90, floor: 0.1, exempt: true };
  expect(relevanceAfter(node({ decay: exempt }), 900)).toBe(1);
});

test("the curve counts from the last use, else from the day of the fact", () => {
  const now = Date.now();
  expect(curveOf(node({ occurred_at: daysAgo(90) }), now).now).toBeCloseTo(0.5);
  const used = curveOf(node({ occurred_at: daysAgo(900), last_access: daysAgo(45) }), now);
  expect(used.age).toBeCloseTo(45);
  expect(used.now).toBeCloseTo(0.5 ** 0.5);
});

test("it never rises by itself, and what was before now is where the line ends", () => {
  const { before, ahead, now } = curveOf(node(), Date.now());
  const all = [...before, ...ahead].map(({ relevance }) => relevance);
  expect(all.every((value, place) => place === 0 || value <= (all[place - 1] ?? 1))).toBe(true);
  expect(before.at(-1)?.relevance).toBe(now);
});

test("a fact of a day to come has not begun to fade", () => {
  expect(curveOf(node({ occurred_at: daysAgo(-30) }), Date.now())).toMatchObject({ age: 0, now: 1 });
});
