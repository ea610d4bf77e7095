import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { fakeSockets, InLive, openSocket } from "@/testing/live";
import { json, mockServer, renderInApp } from "@/testing/render";
import { chat, page } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import SummaryDrawer from "./summary-drawer";
import { ANSWERS } from "./testing/in-drawer";
import { AT, compactionState, EMPTY, HEALTHY, ID, POLICY, run, summary, view } from "./testing/samples";

const noop = () => undefined;

function renderDrawer(
  props: Partial<Parameters<typeof SummaryDrawer>[0]> = {},
  answers: typeof ANSWERS = {},
) {
  mockServer({ ...ANSWERS, ...answers });
  fakeSockets();
  const rendered = renderInApp(
    <InLive>
      <InShell>
        <SummaryDrawer id={ID} view={view()} onClose={noop} onShowMessage={noop} {...props} />
      </InShell>
    </InLive>,
  );
  openSocket();
  return rendered;
}

test("the context page leads to the exact pack and back", async () => {
  renderDrawer();
  await userEvent.click(await screen.findByRole("button", { name: "What the model sees" }));
  expect(screen.getByRole("heading", { name: "What the model sees" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Back to context" }));
  expect(screen.getByRole("heading", { name: "Context" })).toBeTruthy();
});

test("during a compaction its stages replace the usage", async () => {
  const compaction = compactionState({ state: "running" });
  renderDrawer(
    { view: view({ compaction }, { stage: { runId: "r2", stage: "writing", progress: 35 } }) },
    { [`GET ${AT}/compactions/r2`]: () => json(run({ state: "running" })) },
  );
  expect(await screen.findByText("35%")).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
  expect(screen.getByRole("button", { name: "Stop" })).toBeTruthy();
});

test("a finished compaction shows what it freed", async () => {
  renderDrawer({
    view: view({ compaction: compactionState(), health: { ...HEALTHY, status: "compacted" } }),
  });
  expect(await screen.findByText("≈ 2,500 live tokens freed")).toBeTruthy();
});

test("until the result of a finished compaction is loaded, nothing is shown instead of zeros", async () => {
  const unfinished = run({ state: "running", tokens_after: null, version: null, finished_at: null });
  const answers = [unfinished];
  renderDrawer(
    { view: view({ compaction: compactionState(), health: { ...HEALTHY, status: "compacted" } }) },
    { [`GET ${AT}/compactions/r2`]: () => json(answers.shift() ?? run()) },
  );
  await screen.findByRole("heading", { name: "Pins" });
  await waitFor(() => expect(answers).toHaveLength(0));
  expect(screen.queryByText(/live tokens freed/)).toBeNull();
  expect(await screen.findByText("≈ 2,500 live tokens freed", {}, { timeout: 3000 })).toBeTruthy();
  expect(screen.getByText("10 messages, #1–10")).toBeTruthy();
}, 10_000);

test("disabled automatic compaction is reported", async () => {
  const off = { ...POLICY, effective: { ...POLICY.effective, auto_compact: false } };
  renderDrawer({}, { "GET /api/policy": () => json(off) });
  expect(await screen.findByText(/Automatic compaction is off/)).toBeTruthy();
});

test("the comparison of a compaction can be opened from outside", async () => {
  renderDrawer({ compare: { runId: "r2" } });
  expect(await screen.findByRole("heading", { name: "Summary v2 → v3" })).toBeTruthy();
});

test("over the thread, showing a message closes the drawer", async () => {
  const close = vi.fn();
  const shown = vi.fn();
  renderDrawer({ onClose: close, onShowMessage: shown });
  await userEvent.click(await screen.findByRole("button", { name: /^Source: message 3/ }));
  expect(shown).toHaveBeenCalledWith(2);
  expect(close).toHaveBeenCalledOnce();
});

test("without a summary there is one button to compact", async () => {
  renderDrawer({}, { [`GET ${AT}/summary`]: () => json(summary(EMPTY, 0)) });
  await screen.findByRole("heading", { name: "No summary yet" });
  expect(screen.getAllByRole("button", { name: "Compact now" })).toHaveLength(1);
});

test("the compact button becomes the stop button and stays focused", async () => {
  const queued = run({ id: "r9", state: "queued" });
  renderDrawer(
    {},
    {
      [`POST ${AT}/compactions`]: () => json({ operation: null, compaction: queued }, 202),
      [`GET ${AT}/compactions/r9`]: () => json(queued),
    },
  );
  (await screen.findByRole("button", { name: "Compact now" })).focus();
  await userEvent.keyboard("{Enter}");
  const stop = await screen.findByRole("button", { name: "Stop" });
  await vi.waitFor(() => expect(document.activeElement).toBe(stop));
});

test("in a read-only chat there are no controls, with the reason", async () => {
  renderDrawer({}, { [`GET ${AT}`]: () => json(chat(ID, { access: "read" })) });
  expect(await screen.findByText(/^Read only/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Compact now" })).toBeNull();
});

test("a requested comparison does not come back when the drawer is reopened", async () => {
  const compare = { runId: "r2" };
  const { unmount } = renderDrawer({ compare });
  await screen.findByRole("heading", { name: "Summary v2 → v3" });
  unmount();
  renderDrawer({ compare });
  await screen.findByRole("button", { name: "What the model sees" });
  expect(screen.queryByRole("heading", { name: "Summary v2 → v3" })).toBeNull();
});

test("visiting the history keeps drafts and drops empty forms", async () => {
  renderDrawer();
  await userEvent.click(await screen.findByRole("button", { name: "Add a goal" }));
  await userEvent.click(screen.getByRole("button", { name: "Add a requirement" }));
  const [, requirement] = screen.getAllByRole("textbox", { name: "Text" });
  await userEvent.type(requirement ?? document.body, "Before noon");
  await userEvent.click(screen.getByRole("button", { name: "History" }));
  await userEvent.click(screen.getByRole("button", { name: "Back to context" }));
  const fields = await screen.findAllByRole<HTMLTextAreaElement>("textbox", { name: "Text" });
  expect(fields.map(({ value }) => value)).toEqual(["Before noon"]);
});

test("Escape goes back from a page of the drawer before it closes the drawer", async () => {
  const onClose = vi.fn();
  renderDrawer({ onClose });
  await userEvent.click(await screen.findByRole("button", { name: "History" }));
  await userEvent.click(await screen.findByRole("button", { name: "Back to context" }));
  await userEvent.click(await screen.findByRole("button", { name: "History" }));
  screen.getByRole("button", { name: "Back to context" }).focus();
  await userEvent.keyboard("{Escape}");
  const history = await screen.findByRole("button", { name: "History" });
  expect(onClose).not.toHaveBeenCalled();
  history.focus();
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});

test("Escape in a comparison opened from the history goes back to the history", async () => {
  const onClose = vi.fn();
  renderDrawer({ onClose }, { [`GET ${AT}/compactions`]: () => json(page([run()])) });
  await userEvent.click(await screen.findByRole("button", { name: "History" }));
  await userEvent.click(await screen.findByRole("button", { name: "Compare version 2 with version 3" }));
  await screen.findByRole("heading", { name: "Summary v2 → v3" });
  await userEvent.keyboard("{Escape}");
  expect(await screen.findByRole("heading", { name: "History" })).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});

test("a chat that does not exist has no drawer", async () => {
  renderDrawer({}, { [`GET ${AT}`]: () => json({ code: "not_found", title: "Page not found" }, 404) });
  await waitFor(() => expect(screen.queryByRole("button", { name: "Compact now" })).toBeNull());
  expect(screen.queryByRole("complementary")).toBeNull();
});
