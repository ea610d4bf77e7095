import { expect, test } from "vitest";
import type { Compaction } from "@/api/compactions";
import { compaction, userMessage } from "@/testing/messages";
import { type Coverage, markersBelow, compactionMarkers } from "./compaction-markers";
import type { MessageAt } from "./use-messages";

const COUNT = 60;
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 10, minutes)).toISOString();
/** Messages are one minute apart. */
const messageAt: MessageAt = (index) =>
  index < COUNT ? userMessage({ index, created_at: at(index) }) : undefined;

const run = (version: number, changes: Partial<Compaction> = {}) =>
  compaction(version, { finished_at: new Date(Date.parse(at(30)) + 1000).toISOString(), ...changes });

const below = (index: number, runs: Compaction[], messages = messageAt) =>
  markersBelow(index, COUNT, messages, compactionMarkers(runs, COUNT));

test("a run is shown below the message that was the newest when it finished", () => {
  expect(below(30, [run(1)])).toMatchObject([{ kind: "run", isLast: true }]);
  expect(below(29, [run(1)])).toEqual([]);
  expect(below(31, [run(1)])).toEqual([]);
});

test("the border is below the last compacted message", () => {
  expect(below(9, [run(1)])).toMatchObject([{ kind: "border", through: 9, version: 1 }]);
});

test("only the last run can be undone", () => {
  const later = run(2, { compacted_from: 10, compacted_through: 19, finished_at: at(40) });
  expect(below(30, [later, run(1)])).toMatchObject([{ isLast: false }]);
  expect(below(40, [later, run(1)])).toMatchObject([{ isLast: true }]);
  expect(below(9, [later, run(1)])).toEqual([]);
  expect(below(19, [later, run(1)])).toMatchObject([{ kind: "border", version: 2 }]);
});

test("failed, running and undone runs are not shown in the thread", () => {
  for (const state of ["failed", "running", "queued", "undone", "stopped"] as const) {
    expect(below(30, [run(1, { state })])).toEqual([]);
    expect(below(9, [run(1, { state })])).toEqual([]);
  }
});

test("a run after the newest message is at the end", () => {
  expect(below(COUNT - 1, [run(1, { finished_at: at(500) })])).toMatchObject([{ kind: "run" }]);
});

test("a run from before the first message is below it", () => {
  expect(below(0, [run(1, { finished_at: at(-500) })])).toMatchObject([{ kind: "run" }]);
});

test("no run is placed if the next message is not loaded", () => {
  const halfCompacted: MessageAt = (index) => (index < 31 ? messageAt(index) : undefined);
  expect(below(30, [run(1)], halfCompacted)).toEqual([]);
});

test("several runs in one position are grouped", () => {
  const runs = [3, 2, 1].map((version) => run(version));
  expect(below(30, runs)).toMatchObject([
    { kind: "series", isLast: true, runs: [{ version: 1 }, {}, { version: 3 }] },
  ]);
});

test("the border is at the end of the active summary, with or without a run", () => {
  const border = (summary: Coverage, runs: Compaction[] = []) =>
    markersBelow(22, COUNT, messageAt, compactionMarkers(runs, COUNT, summary));
  expect(border({ version: 1, covers_through: 22 })).toEqual([
    { kind: "border", through: 22, version: 1, run: null },
  ]);
  expect(border({ version: 2, covers_through: 22 }, [run(1)])).toMatchObject([
    { version: 2, run: { version: 1 } },
  ]);
  expect(border({ version: 0, covers_through: null })).toEqual([]);
});
