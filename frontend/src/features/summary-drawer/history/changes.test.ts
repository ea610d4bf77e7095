import { expect, test } from "vitest";
import { EMPTY, line } from "../testing/samples";
import { linesOf } from "../summary/lines";
import { changesBetween, removalOf } from "./changes";

function kinds(before: typeof EMPTY, after: typeof EMPTY) {
  return changesBetween(before, after).changes.map(({ kind, before: old, after: now }) => [
    kind,
    old?.text,
    now?.text,
  ]);
}

test("added and removed lines are distinguished from unchanged ones", () => {
  const before = { ...EMPTY, goals: [line("Ship on Friday"), line("Hire somebody")] };
  const after = { ...EMPTY, goals: [line("Ship on Friday"), line("Find an office in Lisbon")] };
  expect(kinds(before, after)).toEqual([
    ["added", undefined, "Find an office in Lisbon"],
    ["removed", "Hire somebody", undefined],
  ]);
  expect(changesBetween(before, after).unchanged).toBe(1);
});

test("a rewritten line is one change", () => {
  const before = { ...EMPTY, current_plan: [line("Step 2 of 5: dual write to PostgreSQL")] };
  const after = { ...EMPTY, current_plan: [line("Step 3 of 5: dual write to PostgreSQL")] };
  expect(kinds(before, after)).toEqual([
    ["changed", "Step 2 of 5: dual write to PostgreSQL", "Step 3 of 5: dual write to PostgreSQL"],
  ]);
});

test("a definition is matched by its term, whatever its text", () => {
  const before = { ...EMPTY, definitions: { hold: { ...line("a booking without payment"), place: 0 } } };
  const after = { ...EMPTY, definitions: { hold: { ...line("five minutes"), place: 0 } } };
  expect(kinds(before, after)).toEqual([["changed", "a booking without payment", "five minutes"]]);
});

test("a line that moved to another field is removed from one and added to the other", () => {
  const before = { ...EMPTY, open_questions: [line("Which index does it need?")] };
  const after = { ...EMPTY, requirements: [line("Which index does it need?")] };
  expect(kinds(before, after).map(([kind]) => kind)).toEqual(["added", "removed"]);
});

test("the reason of a removal is found by field and key", () => {
  const decision = { ...line("Use Redis"), reason: "it is quick" };
  const reference = {
    type: "id" as const,
    value: "ADR-014",
    note: "gapless",
    sources: [],
    corrected: false,
    reported: false,
  };
  const before = {
    ...EMPTY,
    goals: [line("Ship on Friday")],
    decisions: [decision],
    references: [reference],
    definitions: { hold: { ...line("five minutes"), place: 0 } },
  };
  const reasons = [
    ["decisions", "Use Redis"],
    ["references", "ADR-014"],
    ["definitions", "hold"],
    ["requirements", "Ship on Friday"],
  ].map(([field = "", key = ""]) => ({ field, key, text: "", reason: "done" as const, by: [] }));
  const lineIn = (field: "goals" | "decisions" | "references" | "definitions") =>
    linesOf(before, field)[0] ?? null;
  expect(removalOf(lineIn("decisions"), reasons)?.field).toBe("decisions");
  expect(removalOf(lineIn("references"), reasons)?.field).toBe("references");
  expect(removalOf(lineIn("definitions"), reasons)?.field).toBe("definitions");
  expect(removalOf(lineIn("goals"), reasons)).toBeUndefined();
  expect(removalOf(null, reasons)).toBeUndefined();
});
