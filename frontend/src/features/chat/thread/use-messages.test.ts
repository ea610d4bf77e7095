import { expect, test } from "vitest";
import { userMessage } from "@/testing/messages";
import type { RunningTurn } from "../sending/reply-streams";
import { pagesOf, mergeTurn } from "./use-messages";

const turn: RunningTurn = {
  message: userMessage(),
  reply: { id: "r1", index: 1 },
  text: "Half a rep",
  state: "writing",
  ending: null,
};
const reply = userMessage({ id: "r1", index: 1, role: "assistant", status: "streaming", content: "Half" });

test("a streamed message is shown before it is stored", () => {
  expect(mergeTurn(0, undefined, turn)).toEqual(userMessage());
  expect(mergeTurn(1, undefined, turn)).toMatchObject({
    role: "assistant",
    content: "Half a rep",
    status: "streaming",
  });
});

test("of a growing reply the longer text is shown", () => {
  expect(mergeTurn(1, reply, turn)?.content).toBe("Half a rep");
  const ahead = { ...reply, content: "Half a reply and more" };
  expect(mergeTurn(1, ahead, turn)?.content).toBe("Half a reply and more");
});

test("a stored, finished reply takes precedence", () => {
  const stored = { ...reply, content: "The whole reply", status: "complete" as const };
  expect(mergeTurn(1, stored, turn)).toBe(stored);
});

test("other messages are shown as stored", () => {
  const other = userMessage({ id: "m9", index: 9 });
  expect(mergeTurn(9, other, turn)).toBe(other);
  expect(mergeTurn(9, undefined, turn)).toBeUndefined();
});

test("the newest page and the pages in view are requested", () => {
  expect(pagesOf([9990, 9999, 10_000], 10_000)).toEqual([199]);
  expect(pagesOf([95, 99, 100, 105], 10_000)).toEqual([1, 2, 199]);
  expect(pagesOf([0], 0)).toEqual([0]);
});

test("a pinned row far away does not request the pages between", () => {
  expect(pagesOf([40, 9000, 9001], 10_000)).toEqual([0, 180, 199]);
});

test("a reply that ended here shows its error before it is stored", () => {
  const ending = { id: "r1", index: 1, status: "partial" as const, error_code: "stopped" };
  expect(mergeTurn(1, undefined, { ...turn, ending })).toMatchObject({
    status: "partial",
    error_code: "stopped",
  });
});
