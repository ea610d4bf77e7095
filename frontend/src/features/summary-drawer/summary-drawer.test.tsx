import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { json, serve, show } from "@/testing/render";
import SummaryDrawer from "./summary-drawer";
import { ANSWERS } from "./testing/in-drawer";
import { AT, HEALTHY, ID, mark, POLICY, run, view } from "./testing/samples";

vi.mock("@/events/live", () => ({ useConnection: () => "open" }));
const nothing = () => undefined;

function drawer(props: Partial<Parameters<typeof SummaryDrawer>[0]> = {}, answers: typeof ANSWERS = {}) {
  serve({ ...ANSWERS, ...answers });
  show(<SummaryDrawer id={ID} view={view()} onClose={nothing} onShowMessage={nothing} {...props} />);
}

test("from the context one goes to the exact pack and back", async () => {
  drawer();
  await userEvent.click(await screen.findByRole("button", { name: "What the model sees" }));
  expect(screen.getByRole("heading", { name: "What the model sees" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Back to the context" }));
  expect(screen.getByRole("heading", { name: "Context" })).toBeTruthy();
});

test("while a compaction runs its steps stand where the use was", async () => {
  const compaction = mark({ state: "running" });
  drawer(
    { view: view({ compaction }, { stage: { runId: "r2", stage: "writing", progress: 35 } }) },
    { [`GET ${AT}/compactions/r2`]: () => json(run({ state: "running" })) },
  );
  expect(await screen.findByText("35 %")).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
  expect(screen.getByRole("button", { name: "Stop the run" })).toBeTruthy();
});

test("just after a compaction it shows what that freed", async () => {
  drawer({ view: view({ compaction: mark(), health: { ...HEALTHY, word: "Compacted" } }) });
  expect(await screen.findByText("2,500 live tokens freed")).toBeTruthy();
});

test("automatic compaction that is off is told in words", async () => {
  const off = { ...POLICY, effective: { ...POLICY.effective, auto_compact: false } };
  drawer({}, { "GET /api/policy": () => json(off) });
  expect(await screen.findByText(/Automatic compaction is off/)).toBeTruthy();
});

test("the changes of a compaction can be asked for from outside", async () => {
  drawer({ compare: { runId: "r2" } });
  expect(await screen.findByRole("heading", { name: "Summary v2 → v3" })).toBeTruthy();
});

test("over the thread, showing a message closes the drawer", async () => {
  const close = vi.fn();
  const shown = vi.fn();
  drawer({ onClose: close, onShowMessage: shown });
  await userEvent.click(await screen.findByRole("button", { name: /^Source: message 2/ }));
  expect(shown).toHaveBeenCalledWith(2);
  expect(close).toHaveBeenCalledOnce();
});
