import { expect, test } from "vitest";
import { keys } from "@/api/keys";
import histories from "./fixtures/histories.json";
import { touched, touchedByAll } from "./touched";
import type { EventFrame, Frame } from "./types";

const MAY_BE_LOST = ["CompactionStaged", "HealthChanged", "TurnProgressed", "TurnStarted"];

function event(name: string): EventFrame {
  return { type: "event", name, conversation_id: "c", data: {} };
}

test("what the server tells of makes something old, but for what only the live view shows", () => {
  const frames = histories.flatMap((history) => history.frames as unknown as Frame[]);
  const names = new Set(frames.flatMap((frame) => (frame.type === "event" ? [frame.name] : [])));
  const untouching = [...names].filter((name) => touched(event(name)).length === 0);
  expect(MAY_BE_LOST).toEqual(expect.arrayContaining(untouching));
});

test("a compaction makes messages, summary and history old, and nothing of other conversations", () => {
  const old = touched(event("ContextCompacted"));
  expect(old).toEqual(
    expect.arrayContaining([
      keys.messages("c"),
      keys.summary("c").slice(0, 3),
      keys.compactions("c"),
      keys.conversations,
    ]),
  );
  expect(old.filter(([name, id]) => name === "conversation" && id !== "c")).toEqual([]);
});

test("a title changes the list too", () => {
  expect(touched(event("ConversationChanged"))).toContainEqual(keys.conversations);
});

test("one's own memory belongs to no conversation", () => {
  expect(touched(event("UserMemoryChanged"))).toEqual([keys.userMemory]);
});

test("an event that nobody knows yet touches nothing", () => {
  expect(touched(event("SomethingNew"))).toEqual([]);
});

test("after a snapshot all of the conversation is old", () => {
  expect(touchedByAll("c")).toEqual([keys.conversation("c")]);
});
