import { expect, test } from "vitest";
import { said } from "@/testing/messages";
import type { RunningTurn } from "../sending/reply-streams";
import { pagesOf, withTurn } from "./use-messages";

const turn: RunningTurn = {
  said: said(),
  reply: { id: "r1", index: 1 },
  text: "Half a rep",
  state: "writing",
  ending: null,
};
const reply = said({ id: "r1", index: 1, role: "assistant", status: "streaming", content: "Half" });

test("what is followed shows before it is stored", () => {
  expect(withTurn(0, undefined, turn)).toEqual(said());
  expect(withTurn(1, undefined, turn)).toMatchObject({
    role: "assistant",
    content: "Half a rep",
    status: "streaming",
  });
});

test("of a reply that grows, whoever has more of it is shown", () => {
  expect(withTurn(1, reply, turn)?.content).toBe("Half a rep");
  const ahead = { ...reply, content: "Half a reply and more" };
  expect(withTurn(1, ahead, turn)?.content).toBe("Half a reply and more");
});

test("what is stored in the end is what counts", () => {
  const stored = { ...reply, content: "The whole reply", status: "complete" as const };
  expect(withTurn(1, stored, turn)).toBe(stored);
});

test("other messages are as they are stored", () => {
  const other = said({ id: "m9", index: 9 });
  expect(withTurn(9, other, turn)).toBe(other);
  expect(withTurn(9, undefined, turn)).toBeUndefined();
});

test("the newest page is always wanted, and those in sight", () => {
  expect(pagesOf([9990, 9999, 10_000], 10_000)).toEqual([199]);
  expect(pagesOf([95, 99, 100, 105], 10_000)).toEqual([1, 2, 199]);
  expect(pagesOf([0], 0)).toEqual([0]);
});

test("a row that is held far away does not bring the pages between", () => {
  expect(pagesOf([40, 9000, 9001], 10_000)).toEqual([0, 180, 199]);
});

test("a reply that ended here says why before it is stored", () => {
  const ending = { id: "r1", index: 1, status: "partial" as const, error_code: "stopped" };
  expect(withTurn(1, undefined, { ...turn, ending })).toMatchObject({
    status: "partial",
    error_code: "stopped",
  });
});
