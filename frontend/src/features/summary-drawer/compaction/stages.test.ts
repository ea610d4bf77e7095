import { expect, test } from "vitest";
import { stageStates } from "./stages";

test("steps before the present one are done, those after it are to come", () => {
  expect(stageStates("checking").map(({ state }) => state)).toEqual(["done", "done", "done", "now", "next"]);
});

test("a run that waits has not begun", () => {
  expect(stageStates("queued").map(({ state }) => state)).toEqual(["now", "next", "next", "next", "next"]);
});

test("a step with another name counts as reading", () => {
  expect(stageStates("").find(({ state }) => state === "now")?.name).toBe("reading");
});
