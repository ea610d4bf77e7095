import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { compaction } from "@/testing/messages";
import { renderInApp } from "@/testing/render";
import { ActionsContext, type MessageActions } from "../actions";
import { CompactionMarker } from "./compaction-marker";
import type { Marker } from "./compaction-markers";
import { RunningMarker } from "./running-marker";

const ALL = { change: true, fork: true, archive: true, delete: true, remember: true };
const run = compaction(5, { compacted_from: 35, compacted_through: 46, compacted_count: 12 });

function renderMarker(one: Marker, actions: Partial<MessageActions> = {}) {
  return renderInApp(
    <ActionsContext value={{ may: ALL, ...actions } as MessageActions}>
      <CompactionMarker marker={one} />
    </ActionsContext>,
  );
}

test("a run shows the compacted messages, the new version and the live tokens", () => {
  renderMarker({ kind: "run", run, isLast: false });
  const group = screen.getByRole("group", { name: "Compacted messages 36–47" });
  expect(group.textContent).toContain("into v5");
  expect(group.textContent).toContain("≈ 8,112 → 6,724 tokens");
  expect(screen.queryByRole("button")).toBeNull();
});

test("the last run can be undone, and any can be compared", async () => {
  const [undoCompaction, compare] = [vi.fn(), vi.fn()];
  renderMarker({ kind: "run", run, isLast: true }, { undoCompaction, compare });
  await userEvent.click(screen.getByRole("button", { name: "Changes" }));
  await userEvent.click(screen.getByRole("button", { name: "Undo the compaction that created v5" }));
  expect(compare).toHaveBeenCalledExactlyOnceWith(run);
  expect(undoCompaction).toHaveBeenCalledExactlyOnceWith(run);
});

test("a run that compacted no messages says so", () => {
  renderMarker({
    kind: "run",
    run: compaction(5, { compacted_count: 0, compacted_from: null }),
    isLast: false,
  });
  expect(screen.getByRole("group", { name: "Summary refreshed" })).toBeTruthy();
});

test("many runs are grouped and can be expanded", async () => {
  const runs = [
    compaction(1, { compacted_from: 0, compacted_through: 9, tokens_before: 9000, tokens_after: 8000 }),
    compaction(2, { compacted_from: 10, compacted_through: 19 }),
    compaction(3, { compacted_from: 20, compacted_through: 29, tokens_before: 8000, tokens_after: 6500 }),
  ];
  renderMarker({ kind: "series", runs, run: runs[2] ?? run, isLast: false });
  const group = screen.getByRole("group", { name: "Compacted messages 1–30" });
  expect(group.textContent).toContain("into v3");
  expect(group.textContent).toContain("≈ 9,000 → 6,500 tokens");
  await userEvent.click(screen.getByRole("button", { name: "Show 3 compactions" }));
  expect(screen.getByText("Compacted messages 11–20")).toBeTruthy();
});

test("the border says what the model reads instead", () => {
  renderMarker({ kind: "border", through: 46, version: 5, run });
  const group = screen.getByRole("group", { name: "Messages 1–47 are compacted" });
  expect(group.textContent).toContain(
    "The model reads summary v5, and as many of these messages as fit its budget.",
  );
});

test("an active run shows its stage and progress, and can be stopped", async () => {
  const stopCompaction = vi.fn();
  renderInApp(
    <ActionsContext value={{ may: ALL, stopCompaction } as Partial<MessageActions> as MessageActions}>
      <RunningMarker
        compaction={{
          ...run,
          run_id: run.id,
          state: "running",
          level: "light",
          stage: "writing",
          progress: 35,
        }}
      />
    </ActionsContext>,
  );
  expect(screen.getByText("Compacting messages 36–47")).toBeTruthy();
  expect(screen.getByText("writing the summary")).toBeTruthy();
  expect(screen.getByRole<HTMLProgressElement>("progressbar").value).toBe(35);
  await userEvent.click(screen.getByRole("button", { name: "Stop the compaction" }));
  expect(stopCompaction).toHaveBeenCalledExactlyOnceWith("run5");
});

test("in a fork the border has no run and no undo", () => {
  renderMarker({ kind: "border", through: 22, version: 1, run: null });
  expect(screen.getByRole("group", { name: "Messages 1–23 are compacted" }).textContent).toContain(
    "summary v1",
  );
  expect(screen.queryByRole("button")).toBeNull();
});

test("a reader can compare a run, not undo it", () => {
  const [compare, undoCompaction] = [vi.fn(), vi.fn()];
  renderMarker(
    { kind: "run", run, isLast: true },
    {
      compare,
      undoCompaction,
      may: { change: false, fork: true, archive: false, delete: false, remember: false },
    },
  );
  expect(screen.getAllByRole("button").map((one) => one.textContent)).toEqual(["Changes"]);
});
