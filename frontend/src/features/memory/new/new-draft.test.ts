import { expect, test } from "vitest";
import { bodyOf, BY_ADDRESS, firstDraft, uriOf } from "./new-draft";

test("an address follows from category and name; an entity comes before the name of what is known of it", () => {
  expect(uriOf({ ...firstDraft(""), kind: "events", name: "First deploy" })).toBe(
    "mem://user/events/first-deploy",
  );
  expect(uriOf({ ...firstDraft(""), kind: "entities", entity: "Acme API", name: "Rate limit" })).toBe(
    "mem://user/entities/acme-api/rate-limit",
  );
  expect(uriOf({ ...firstDraft(""), kind: "entities", entity: "", name: "Rate limit" })).toBeNull();
});

test("an address that is typed is taken as it is, once it is one", () => {
  const typed = (address: string) => uriOf({ ...firstDraft(""), kind: BY_ADDRESS, address });
  expect(typed(" mem://user/events/x ")).toBe("mem://user/events/x");
  expect(typed("mem://user/events/")).toBeNull();
  expect(typed("events/x")).toBeNull();
});

test.each([
  ["mem://user/events", { kind: "events" }],
  ["mem://user/entities/acme", { kind: "entities", entity: "acme" }],
  ["mem://agent", { kind: "patterns" }],
  ["mem://user/events/2026", { kind: BY_ADDRESS, address: "mem://user/events/2026/" }],
])("begun in %s it lies in there", (folder, expected) => {
  expect(firstDraft(folder)).toMatchObject(expected);
});

test("only what the team may have is shared", () => {
  const draft = { ...firstDraft(""), name: "Tea", content: "Green.", shared: true };
  expect(bodyOf(draft)).toEqual({ uri: "mem://user/preferences/tea", content: "Green.", tags: [] });
  expect(bodyOf({ ...draft, kind: "cases" })).toMatchObject({ uri: "mem://agent/cases/tea", shared: true });
});
