import { expect, test } from "vitest";
import { keys } from "@/api/keys";
import histories from "./fixtures/histories.json";
import { isUnder, touched } from "./invalidation";
import type { EventFrame, Frame } from "./types";

const ONLY_LIVE = ["CompactionStaged", "HealthChanged", "TurnProgressed", "TurnStarted"];

function event(name: string, data: object = {}): EventFrame {
  return { type: "event", name, conversation_id: "c", data } as EventFrame;
}

test("what the server tells of makes something old, but for what only the live view shows", () => {
  const frames = histories.flatMap((history) => history.frames as unknown as Frame[]);
  const events = frames.filter((frame): frame is EventFrame & Frame => frame.type === "event");
  const untouching = events.filter((frame) => touched(frame).length === 0).map(({ name }) => name);
  expect(ONLY_LIVE).toEqual(expect.arrayContaining(untouching));
});

test("a compaction makes messages, summary and history old, and nothing of other conversations", () => {
  const compaction = { compacted_from: 48, compacted_through: 51 };
  const old = touched(event("ContextCompacted", { compaction }));
  expect(old).toEqual(
    expect.arrayContaining([
      keys.page("c", 0),
      keys.page("c", 1),
      keys.summary("c").slice(0, 3),
      keys.compactions("c"),
      keys.conversations,
    ]),
  );
  expect(old).not.toContainEqual(keys.messages("c"));
  expect(old.filter(([name, id]) => name === "conversation" && id !== "c")).toEqual([]);
});

test("an event makes only the pages of its messages old", () => {
  const stored = touched(event("MessagesStored", { first_index: 99, last_index: 100, messages: [] }));
  expect(stored.filter((key) => key[2] === "messages")).toEqual([keys.page("c", 1), keys.page("c", 2)]);
  expect(touched(event("TurnStarted", { messages: [{ index: 3 }] }))).toEqual([keys.page("c", 0)]);
});

test("an event that does not list its message makes all pages old", () => {
  expect(touched(event("MessageUpdated", { messages: [] }))).toEqual([keys.messages("c")]);
});

test("a title changes the list too", () => {
  expect(touched(event("ConversationChanged"))).toContainEqual(keys.conversations);
});

test("one's own memory stands in the pack of every conversation", () => {
  const old = touched(event("UserMemoryChanged"));
  const isOld = (key: readonly unknown[]) => old.some((one) => isUnder(key, one));
  expect(isOld(keys.userMemory)).toBe(true);
  expect(isOld([...keys.context("a"), "parts"])).toBe(true);
  expect(isOld([...keys.context("b"), "openai"])).toBe(true);
  expect(isOld(keys.messages("a"))).toBe(false);
});

test("memories found in a chat make those of its messages old, and so does their undo elsewhere", () => {
  const found = touched(event("MemoriesExtracted"));
  expect(found.some((one) => isUnder([...keys.memories("c"), 2], one))).toBe(true);
  expect(found.some((one) => isUnder(keys.memories("other"), one))).toBe(false);
  const undone = touched(event("MemoryChanged"));
  expect(undone.some((one) => isUnder([...keys.memories("c"), 2], one))).toBe(true);
});

test("a change of the memory tree makes all that is shown of it old, and no search", () => {
  const old = touched(event("MemoryChanged"));
  const isOld = (key: readonly unknown[]) => old.some((one) => isUnder(key, one));
  expect(isOld(keys.tree("mem://user", false))).toBe(true);
  expect(isOld(keys.node("n1"))).toBe(true);
  expect(isOld(keys.revisions("n1"))).toBe(true);
  expect(isOld(keys.find({ q: "deploys" }))).toBe(false);
});

test("a chat that was begun, shared or named in another browser makes the list old", () => {
  expect(touched(event("ConversationsChanged"))).toEqual([keys.conversations]);
});

test("whoever joins, leaves or gets another role makes the members old, and what one may do oneself", () => {
  expect(touched(event("MembersChanged"))).toEqual([keys.members, keys.invitations, keys.me]);
});

test("a reply that a limit kept from coming makes old how today's spending stands", () => {
  const ended = (error_code: string) => touched(event("TurnFinished", { error_code, messages: [] }));
  expect(ended("ceiling")).toContainEqual(keys.me);
  expect(ended("timeout")).not.toContainEqual(keys.me);
});

test("an event that nobody knows yet touches nothing", () => {
  expect(touched(event("SomethingNew"))).toEqual([]);
});
