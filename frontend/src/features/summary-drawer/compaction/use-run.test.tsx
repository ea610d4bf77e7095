import { act, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { View } from "@/events/reducer";
import { json, serve, show } from "@/testing/render";
import { AT, ID, mark, run, view } from "../testing/samples";
import { useRun } from "./use-run";

let connection = "open";
vi.mock("@/events/live", () => ({ useConnection: () => connection }));
beforeEach(() => {
  connection = "open";
});

function Shown({ seen }: { seen: View | null }) {
  const { state, stage, progress, follow } = useRun(ID, seen);
  return (
    <button type="button" onClick={() => follow(run({ id: "r9", state: "queued" }))}>
      {`${state ?? "none"} ${stage} ${progress}`}
    </button>
  );
}

test("without a compaction there is none", () => {
  show(<Shown seen={view()} />);
  expect(screen.getByRole("button").textContent).toMatch(/^none/);
});

test("the socket's stage counts where it is farther", async () => {
  serve({
    [`GET ${AT}/compactions/r2`]: () => json(run({ state: "running", stage: "reading", progress: 10 })),
  });
  const running = { compaction: mark({ state: "running" }) };
  show(<Shown seen={view(running, { stage: { runId: "r2", stage: "checking", progress: 75 } })} />);
  expect(await screen.findByText("running checking 75")).toBeTruthy();
});

test("progress never runs backwards when the socket forgets the stage", async () => {
  serve({
    [`GET ${AT}/compactions/r2`]: () => json(run({ state: "running", stage: "checking", progress: 75 })),
  });
  const running = { compaction: mark({ state: "running" }) };
  show(<Shown seen={view(running, { stage: { runId: "r2", stage: "reading", progress: 10 } })} />);
  expect(await screen.findByText("running checking 75")).toBeTruthy();
});

test("while the socket is away the run is asked for until it ends", async () => {
  connection = "away";
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const answers = [run({ state: "running", stage: "writing", progress: 35 }), run({ state: "succeeded" })];
  const asked = serve({ [`GET ${AT}/compactions/r2`]: () => json(answers.shift() ?? run()) });
  show(<Shown seen={view({ compaction: mark({ state: "running" }) })} />);
  expect(await screen.findByText("running writing 35")).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(1100));
  expect(await screen.findByText(/^succeeded/)).toBeTruthy();
  const many = asked.length;
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(asked.length).toBeLessThanOrEqual(many + 1);
  vi.useRealTimers();
});

test("a run that was just asked for counts before the socket knows it", async () => {
  serve({
    [`GET ${AT}/compactions/r2`]: () => json(run()),
    [`GET ${AT}/compactions/r9`]: () => json(run({ id: "r9", state: "queued" })),
  });
  show(<Shown seen={view({ compaction: mark() })} />);
  act(() => screen.getByRole("button").click());
  expect(await screen.findByText("queued queued 0")).toBeTruthy();
});
