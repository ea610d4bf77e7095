import { expect, test } from "vitest";
import { SAMPLE } from "@/lib/demo-conversation";
import { chat } from "@/testing/samples";
import { grouped } from "./groups";

const NOW = new Date(2026, 2, 18, 9, 30);

function spoken(id: string, day: number, hour = 12) {
  return chat(id, { active_at: new Date(2026, 2, day, hour).toISOString() });
}

test("chats are grouped by the days of this calendar, in the order they come", () => {
  const chats = [
    spoken("a", 18, 0),
    spoken("b", 17, 23),
    spoken("c", 17, 0),
    spoken("d", 16),
    spoken("e", 11),
    spoken("f", 10),
  ];
  const names = grouped(chats, NOW).map(({ name, conversations }) => [
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

test("the sample has a group of its own as long as nothing else is there", () => {
  const sample = { ...spoken("s", 1), external_id: SAMPLE };
  expect(grouped([sample], NOW)[0]?.name).toBe("sample");
  expect(grouped([spoken("a", 18), sample], NOW).map(({ name }) => name)).toEqual(["today", "earlier"]);
});
