import { expect, test } from "vitest";
import { Unreachable } from "@/api/problems";
import {
  CHOOSE,
  importReducer,
  type ImportAction,
  type ImportState,
  interruptedAt,
  type Work,
} from "./import-steps";
import { pathOf } from "./report-items";
import { isWorthwhile, changedItems, rowsOf } from "./report-numbers";
import { report } from "./samples";

const FILES = [{ path: "a.jsonl", file: new File(["{}"], "a.jsonl") }];

function after(...actions: ImportAction[]): ImportState {
  return actions.reduce(importReducer, CHOOSE);
}

const UPLOAD = { loaded: 0, total: 200 };
const REQUEST = { files: FILES, source: "auto", dryRun: true, confirmed: true, importId: "i1" } as const;
const STARTED = { type: "started", request: REQUEST, upload: UPLOAD } as const;
const REAL = {
  ...STARTED,
  request: { ...REQUEST, source: "transcripts", dryRun: false, confirmed: false },
} as const;

test("chosen files are previewed, then imported, then reported", () => {
  expect(after(STARTED, { type: "ended", report: report() })).toEqual({
    step: "preview",
    files: FILES,
    report: report(),
  });
  const done = report({ dry_run: false });
  expect(after(REAL, { type: "ended", report: done })).toEqual({ step: "done", report: done });
});

test("progress never runs backwards", () => {
  const state = after(
    REAL,
    { type: "sent", importId: "i1", sent: { loaded: 150, total: 200 } },
    { type: "sent", importId: "i1", sent: { loaded: 100, total: 200 } },
  );
  expect(state).toMatchObject({ upload: { loaded: 150, total: 200 } });
  const later = [
    { type: "progressed", stage: "20 of 40 items", progress: 50 },
    { type: "progressed", stage: "21 of 40 items", progress: 40 },
  ] as const;
  expect(later.reduce(importReducer, state)).toMatchObject({
    progress: 50,
    stage: "21 of 40 items",
    upload: null,
  });
});

test("a failure keeps what is needed to try again", () => {
  const error = new Error("gone");
  expect(after(REAL, { type: "failed", error })).toMatchObject({
    step: "failed",
    error,
    work: { files: FILES, source: "transcripts", dryRun: false, confirmed: false },
  });
});

test("what arrives after a cancel changes nothing", () => {
  const canceled = after(STARTED, { type: "canceled" });
  expect(canceled).toEqual({ step: "choose", problem: null, notice: "nothing_imported" });
  expect(importReducer(canceled, { type: "ended", report: report() })).toBe(canceled);
});

test("the bytes of another upload are not counted", () => {
  expect(after(REAL, { type: "sent", importId: "i0", sent: { loaded: 100, total: 200 } })).toEqual(
    after(REAL),
  );
});

test("a cancel tells whether something may have been imported", () => {
  expect(after(REAL, { type: "canceled" })).toMatchObject({ notice: "nothing_imported" });
  const running = { type: "progressed", stage: "20 of 40 items", progress: 50 } as const;
  expect(after(REAL, running, { type: "canceled" })).toMatchObject({ notice: "rest_not_imported" });
});

test("only a connection that is lost during the upload interrupts it", () => {
  const work = after(REAL) as Work;
  expect(interruptedAt(work, new Unreachable(null))).toEqual(UPLOAD);
  expect(interruptedAt(work, new Error("refused"))).toBeNull();
  expect(interruptedAt({ ...work, upload: null }, new Unreachable(null))).toBeNull();
});

test("kinds are listed in the order in which they arise", () => {
  expect(rowsOf(report()).map(({ kind }) => kind)).toEqual(["transcript", "memory"]);
  expect(rowsOf(report())[0]?.counts).toEqual({ created: 1, existing: 1, skipped: 0, refused: 0 });
  expect(changedItems(report())).toBe(3);
});

test("an import of messages alone is worthwhile", () => {
  const grown = report({ counts: { transcript: { existing: 1 } } });
  expect(isWorthwhile(grown)).toBe(true);
  expect(isWorthwhile({ ...grown, messages: 0 })).toBe(false);
});

test("an item leads to its memory, its session or its chat, once it exists", () => {
  const item = { title: "", status: "created", address: "" } as const;
  expect(pathOf({ ...item, node_id: "n1", conversation_id: "c1", is_session: true })).toBe("/memory/n/n1");
  expect(pathOf({ ...item, node_id: null, conversation_id: "c1", is_session: true })).toBe("/sessions/c1");
  expect(pathOf({ ...item, node_id: null, conversation_id: "c1", is_session: false })).toBe("/c/c1");
  expect(pathOf({ ...item, node_id: null, conversation_id: null, is_session: false })).toBeNull();
});
