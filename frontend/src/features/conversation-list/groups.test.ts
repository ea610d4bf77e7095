import { expect, test } from "vitest";
import { SAMPLE } from "@/lib/sample";
import { chat } from "@/testing/samples";
import { grouped } from "./groups";

const NOW = new Date(2026, 2, 18, 9, 30);

function begun(id: string, day: number, hour = 12) {
  return chat(id, { created_at: new Date(2026, 2, day, hour).toISOString() });
}

test("chats are grouped by the days of this calendar, in the order they come", () => {
  const chats = [
    begun("a", 18, 0),
    begun("b", 17, 23),
    begun("c", 17, 0),
    begun("d", 16),
    begun("e", 11),
    begun("f", 10),
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
  const sample = { ...begun("s", 1), external_id: SAMPLE };
  expect(grouped([sample], NOW)[0]?.name).toBe("sample");
  expect(grouped([begun("a", 18), sample], NOW).map(({ name }) => name)).toEqual(["today", "earlier"]);
});
