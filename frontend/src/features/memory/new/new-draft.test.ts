import { expect, test } from "vitest";
import { CATEGORIES } from "../testing/samples";
import { BY_ADDRESS, firstDraft, newMemory, placeOf, writtenByHand } from "./new-draft";

const EMPTY = firstDraft(CATEGORIES, "");

test("a place is a category and a name; an entity comes before the name of what is known of it", () => {
  expect(placeOf(CATEGORIES, { ...EMPTY, kind: "events", name: " First deploy " })).toEqual({
    category: "events",
    name: "First deploy",
  });
  expect(placeOf(CATEGORIES, { ...EMPTY, kind: "entities", entity: "Acme/API", name: "Rate/limit" })).toEqual(
    { category: "entities", name: "Acme API/Rate/limit" },
  );
  expect(placeOf(CATEGORIES, { ...EMPTY, kind: "entities", name: "Rate limit" })).toBeNull();
});

test("an address that is typed is taken as it is, once it is one", () => {
  const typed = (address: string) => placeOf(CATEGORIES, { ...EMPTY, kind: BY_ADDRESS, address });
  expect(typed(" mem://user/events/x ")).toEqual({ uri: "mem://user/events/x" });
  expect(typed("mem://user/events/")).toBeNull();
  expect(typed("events/x")).toBeNull();
});

test.each([
  ["mem://user/events", { kind: "events" }],
  ["mem://user/entities/acme", { kind: "entities", entity: "acme" }],
  ["mem://user", { kind: "preferences" }],
  ["mem://agent", { kind: "patterns" }],
  ["mem://sessions", { kind: "preferences" }],
  ["mem://user/events/2026", { kind: BY_ADDRESS, address: "mem://user/events/2026/" }],
])("begun in %s it lies in there", (folder, expected) => {
  expect(firstDraft(CATEGORIES, folder)).toMatchObject(expected);
});

test("a session is not offered: who had it writes it", () => {
  expect(writtenByHand(CATEGORIES).map(({ name }) => name)).not.toContain("session");
});

test("only what the team may have is shared", () => {
  const draft = { ...EMPTY, name: "Tea", content: "Green.", shared: true };
  const place = { category: "preferences", name: "Tea" } as const;
  expect(newMemory(CATEGORIES, place, draft)).toEqual({ place, content: "Green.", tags: [] });
  expect(newMemory(CATEGORIES, place, { ...draft, kind: "cases" })).toMatchObject({ shared: true });
});
