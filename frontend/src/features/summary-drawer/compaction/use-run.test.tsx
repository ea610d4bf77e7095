import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { View } from "@/events/reducer";
import { closeSocket, fakeSockets, InLive, openSocket } from "@/testing/live";
import { json, mockServer, renderInApp } from "@/testing/render";
import { AT, ID, compactionState, run, view } from "../testing/samples";
import { useRun } from "./use-run";

function renderRun(latest: View | null) {
  fakeSockets();
  renderInApp(
    <InLive>
      <RunProbe latest={latest} />
    </InLive>,
  );
  openSocket();
}

function RunProbe({ latest }: { latest: View | null }) {
  const { state, stage, progress, detail, follow } = useRun(ID, latest);
  return (
    <button type="button" onClick={() => follow(run({ id: "r9", state: "queued" }))}>
      {`${state ?? "none"} ${stage} ${progress} ${detail === null ? "no result" : `result: ${detail.state}`}`}
    </button>
  );
}

test("without a compaction there is no run", () => {
  renderRun(view());
  expect(screen.getByRole("button").textContent).toMatch(/^none/);
});

test("the socket's stage is used if it is further along", async () => {
  mockServer({
    [`GET ${AT}/compactions/r2`]: () => json(run({ state: "running", stage: "reading", progress: 10 })),
  });
  const running = { compaction: compactionState({ state: "running" }) };
  renderRun(view(running, { stage: { runId: "r2", stage: "checking", progress: 75 } }));
  expect(await screen.findByText(/^running checking 75/)).toBeTruthy();
});

test("progress never goes backwards when the socket drops the stage", async () => {
  mockServer({
    [`GET ${AT}/compactions/r2`]: () => json(run({ state: "running", stage: "checking", progress: 75 })),
  });
  const running = { compaction: compactionState({ state: "running" }) };
  renderRun(view(running, { stage: { runId: "r2", stage: "reading", progress: 10 } }));
  expect(await screen.findByText(/^running checking 75/)).toBeTruthy();
});

test("while the socket is disconnected the run is polled until it ends", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const answers = [run({ state: "running", stage: "writing", progress: 35 }), run({ state: "succeeded" })];
  const requests = mockServer({ [`GET ${AT}/compactions/r2`]: () => json(answers.shift() ?? run()) });
  renderRun(view({ compaction: compactionState({ state: "running" }) }));
  closeSocket();
  expect(await screen.findByText(/^running writing 35/)).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(1100));
  expect(await screen.findByText(/^succeeded/)).toBeTruthy();
  const pollCount = requests.length;
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(requests.length).toBeLessThanOrEqual(pollCount + 1);
  vi.useRealTimers();
});

test("a run that was just requested is used before the socket reports it", async () => {
  mockServer({
    [`GET ${AT}/compactions/r2`]: () => json(run()),
    [`GET ${AT}/compactions/r9`]: () => json(run({ id: "r9", state: "queued" })),
  });
  renderRun(view({ compaction: compactionState() }));
  act(() => screen.getByRole("button").click());
  expect(await screen.findByText(/^queued queued 0/)).toBeTruthy();
});

test("an observer whose copy of the run is older than its end waits for the result", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const answers = [run({ state: "running", tokens_after: null })];
  const requests = mockServer({ [`GET ${AT}/compactions/r2`]: () => json(answers.shift() ?? run()) });
  renderRun(view({ compaction: compactionState({ state: "succeeded" }) }));
  await act(() => vi.advanceTimersByTimeAsync(500));
  expect(requests).toHaveLength(1);
  expect(screen.getByRole("button").textContent).toMatch(/^succeeded.*no result$/);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.getByRole("button").textContent).toMatch(/^succeeded.*result: succeeded$/);
  vi.useRealTimers();
});
