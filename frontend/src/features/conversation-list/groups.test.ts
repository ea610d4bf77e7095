import { expect, test } from "vitest";
import { DEMO_EXTERNAL_ID } from "@/lib/demo-conversation";
import { chat } from "@/testing/samples";
import { groupByAge } from "./groups";

const NOW = new Date(2026, 2, 18, 9, 30);

function chatAt(id: string, day: number, hour = 12) {
  return chat(id, { active_at: new Date(2026, 2, day, hour).toISOString() });
}

test("chats are grouped by local calendar days, in the server's order", () => {
  const chats = [
    chatAt("a", 18, 0),
    chatAt("b", 17, 23),
    chatAt("c", 17, 0),
    chatAt("d", 16),
    chatAt("e", 11),
    chatAt("f", 10),
  ];
  const names = groupByAge(chats, NOW).map(({ name, conversations }) => [
    name,
    conversations.map(({ id }) => id).join(""),
  ]);
  expect(names).toEqual([
    ["today", "a"],
    ["yesterday", "bc"],
    ["week", "de"],
    ["earlier", "f"],
  ]);
});

test("the demo conversation has its own group while there are no other chats", () => {
  const sample = { ...chatAt("s", 1), external_id: DEMO_EXTERNAL_ID };
  expect(groupByAge([sample], NOW)[0]?.name).toBe("sample");
  expect(groupByAge([chatAt("a", 18), sample], NOW).map(({ name }) => name)).toEqual(["today", "earlier"]);
});
