import { expect, test } from "vitest";
import { CATEGORIES } from "../testing/samples";
import { BY_ADDRESS, firstDraft, newMemory, targetOf, manualCategories } from "./new-draft";

const EMPTY = firstDraft(CATEGORIES, "");

test("the target is a category and a name; entities have two names", () => {
  expect(targetOf(CATEGORIES, { ...EMPTY, kind: "events", name: " First deploy " })).toEqual({
    category: "events",
    name: "First deploy",
  });
  expect(
    targetOf(CATEGORIES, { ...EMPTY, kind: "entities", entity: "Acme/API", name: "Rate/limit" }),
  ).toEqual({ category: "entities", name: "Acme API/Rate/limit" });
  expect(targetOf(CATEGORIES, { ...EMPTY, kind: "entities", name: "Rate limit" })).toBeNull();
});

test("a typed address is used as it is when it is complete", () => {
  const draftWith = (address: string) => targetOf(CATEGORIES, { ...EMPTY, kind: BY_ADDRESS, address });
  expect(draftWith(" mem://user/events/x ")).toEqual({ uri: "mem://user/events/x" });
  expect(draftWith("mem://user/events/")).toBeNull();
  expect(draftWith("events/x")).toBeNull();
});

test.each([
  ["mem://user/events", { kind: "events" }],
  ["mem://user/entities/acme", { kind: "entities", entity: "acme" }],
  ["mem://user", { kind: "preferences" }],
  ["mem://agent", { kind: "patterns" }],
  ["mem://sessions", { kind: "preferences" }],
  ["mem://user/events/2026", { kind: BY_ADDRESS, address: "mem://user/events/2026/" }],
])("a form opened in %s targets that folder", (folder, expected) => {
  expect(firstDraft(CATEGORIES, folder)).toMatchObject(expected);
});

test("sessions cannot be created by hand", () => {
  expect(manualCategories(CATEGORIES).map(({ name }) => name)).not.toContain("session");
});

test("only memories of the team can be shared", () => {
  const draft = { ...EMPTY, name: "Tea", content: "Green.", shared: true };
  const target = { category: "preferences", name: "Tea" } as const;
  expect(newMemory(CATEGORIES, target, draft)).toEqual({ target, content: "Green.", tags: [] });
  expect(newMemory(CATEGORIES, target, { ...draft, kind: "cases" })).toMatchObject({ shared: true });
});
