import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { json, serve, show } from "@/testing/render";
import { chat } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import SummaryDrawer from "./summary-drawer";
import { ANSWERS } from "./testing/in-drawer";
import { AT, HEALTHY, ID, mark, POLICY, run, view } from "./testing/samples";

vi.mock("@/events/live", () => ({ useConnection: () => "open" }));
const nothing = () => undefined;

function drawer(props: Partial<Parameters<typeof SummaryDrawer>[0]> = {}, answers: typeof ANSWERS = {}) {
  serve({ ...ANSWERS, ...answers });
  return show(
    <InShell>
      <SummaryDrawer id={ID} view={view()} onClose={nothing} onShowMessage={nothing} {...props} />
    </InShell>,
  );
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
  drawer({ view: view({ compaction: mark(), health: { ...HEALTHY, status: "compacted" } }) });
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

test("the button that asks for a compaction becomes the one that stops it, and keeps the focus", async () => {
  const queued = run({ id: "r9", state: "queued" });
  drawer(
    {},
    {
      [`POST ${AT}/compactions`]: () => json({ operation: null, compaction: queued }, 202),
      [`GET ${AT}/compactions/r9`]: () => json(queued),
    },
  );
  const [first] = await screen.findAllByRole("button", { name: "Compact now" });
  first?.focus();
  await userEvent.keyboard("{Enter}");
  const stop = await screen.findByRole("button", { name: "Stop the run" });
  await vi.waitFor(() => expect(document.activeElement).toBe(stop));
});

test("in a chat that one may only read there is nothing to press, and why", async () => {
  drawer({}, { [`GET ${AT}`]: () => json(chat(ID, { access: "read" })) });
  expect(await screen.findByText(/^You may read this chat/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Compact now" })).toBeNull();
});

test("the changes of a compaction do not come back when the drawer is opened again", async () => {
  const compare = { runId: "r2" };
  const { unmount } = drawer({ compare });
  await screen.findByRole("heading", { name: "Summary v2 → v3" });
  unmount();
  drawer({ compare });
  await screen.findByRole("button", { name: "What the model sees" });
  expect(screen.queryByRole("heading", { name: "Summary v2 → v3" })).toBeNull();
});

test("on the way through the history what was typed stays, and an empty form does not", async () => {
  drawer();
  await userEvent.click(await screen.findByRole("button", { name: "Add a goal" }));
  await userEvent.click(screen.getByRole("button", { name: "Add a requirement" }));
  const [, requirement] = screen.getAllByRole("textbox", { name: "Text" });
  await userEvent.type(requirement ?? document.body, "Before noon");
  await userEvent.click(screen.getByRole("button", { name: "History" }));
  await userEvent.click(screen.getByRole("button", { name: "Back to the context" }));
  const fields = await screen.findAllByRole<HTMLTextAreaElement>("textbox", { name: "Text" });
  expect(fields.map(({ value }) => value)).toEqual(["Before noon"]);
});
