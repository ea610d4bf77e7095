import { expect, test } from "vitest";
import { stageStates } from "./stages";

test("stages before the current one are done, later ones pending", () => {
  expect(stageStates("checking").map(({ state }) => state)).toEqual(["done", "done", "done", "now", "next"]);
});

test("a queued run has not started", () => {
  expect(stageStates("queued").map(({ state }) => state)).toEqual(["now", "next", "next", "next", "next"]);
});

test("an unknown stage counts as reading", () => {
  expect(stageStates("").find(({ state }) => state === "now")?.name).toBe("reading");
});
