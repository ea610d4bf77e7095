import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { json } from "@/testing/render";
import { texts } from "@/texts";
import { renderInDrawer, lastBody } from "../testing/in-drawer";
import { AT, EMPTY, pack, plan, planAnswer, ROLLING, run, summary, view } from "../testing/samples";
import { Failed, nextAttempt } from "./failed";
import { Finished } from "./finished";
import { DrawerFooter } from "./footer";
import { Running } from "./running";

const COMPACTIONS = `${AT}/compactions`;

test("compacting defaults to light, and the run is followed", async () => {
  const follow = vi.fn();
  const queued = run({ id: "r3", state: "queued" });
  const { requests } = renderInDrawer(<DrawerFooter />, {
    run: { follow },
    answers: { [`POST ${COMPACTIONS}`]: () => json({ operation: null, compaction: queued }, 202) },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Compact now" }));
  expect((await lastBody(requests, "POST", COMPACTIONS)).body).toEqual({ level: "light" });
  await vi.waitFor(() => expect(follow).toHaveBeenCalledWith(queued));
});

test("the menu shows what each level frees", async () => {
  const { requests } = renderInDrawer(<DrawerFooter />, {
    answers: { [`POST ${COMPACTIONS}`]: () => json({ operation: null, compaction: run() }, 202) },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Compaction strength" }));
  const menuItems = await screen.findAllByRole("menuitem");
  expect(
    menuItems.map(({ textContent }) => /^(\w+) Frees ≈ [\d,]+ estimated tokens/.exec(textContent)?.[1]),
  ).toEqual(["Light", "Deep", "Aggressive"]);
  await userEvent.click(screen.getByRole("menuitem", { name: /Deep/ }));
  expect((await lastBody(requests, "POST", COMPACTIONS)).body).toEqual({ level: "deep" });
});

test("with nothing to compact the footer says so", async () => {
  const noop = plan({ message_count: 0, freed_tokens: 0 });
  renderInDrawer(<DrawerFooter />, { answers: { [`POST ${COMPACTIONS}?dry_run`]: () => json(noop) } });
  expect(await screen.findByText(texts.drawer.compact.freesNothing)).toBeTruthy();
});

test("with nothing to compact and no summary, compacting is disabled", async () => {
  const noop = plan({ message_count: 0, freed_tokens: 0 });
  renderInDrawer(<DrawerFooter />, {
    view: view({ summary: { version: 0, tokens: 0, compaction_count: 0 } }),
    answers: { [`POST ${COMPACTIONS}?dry_run`]: () => json(noop) },
  });
  expect(await screen.findByText("Nothing to compact yet.")).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Compact now" }).disabled).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Compaction strength" }));
  const items = await screen.findAllByRole<HTMLButtonElement>("menuitem");
  await vi.waitFor(() => expect(items.map(({ disabled }) => disabled)).toEqual([true, true, true]));
});

test("with the engine off the button is disabled, with the reason", async () => {
  const off = pack({ engine: "disabled" });
  renderInDrawer(<DrawerFooter />, { answers: { [`GET ${AT}/context`]: () => json(off) } });
  expect(await screen.findByText(/engine is off in this workspace/)).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});

test("a run can be stopped", async () => {
  const { requests } = renderInDrawer(<DrawerFooter />, {
    run: { isUnderway: true, state: "running", id: "r2" },
    answers: { [`POST ${COMPACTIONS}/r2/stop`]: () => json(run({ state: "stopped" })) },
  });
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  expect(requests.some(({ url }) => url.endsWith("/r2/stop"))).toBe(true);
});

test("stopping a run that has already ended shows no error", async () => {
  renderInDrawer(<DrawerFooter />, {
    run: { isUnderway: true, state: "running", id: "r2" },
    answers: { [`POST ${COMPACTIONS}/r2/stop`]: () => json({ code: "already_ended" }, 409) },
  });
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  expect(await screen.findByText("Already finished.")).toBeTruthy();
});

test("a run shows progress and stages, and that the old summary stays in use", async () => {
  const detail = run({ state: "running", level: "deep" });
  renderInDrawer(<Running />, {
    run: { isUnderway: true, state: "running", stage: "writing", progress: 35, detail },
  });
  expect(await screen.findByText("deep compaction")).toBeTruthy();
  expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("35");
  expect(screen.getByText("Writing the summary", { selector: "li" }).getAttribute("aria-current")).toBe(
    "step",
  );
  expect(screen.getByText("Read the messages").closest("li")?.dataset["state"]).toBe("done");
  expect(screen.getByText(/Summary v3 stays in use/)).toBeTruthy();
  expect(await screen.findByRole("heading", { name: texts.drawer.run.expected })).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe("Compaction: Writing the summary");
});

test("a failed run says that nothing changed, why, and that the summary stays", () => {
  const detail = run({
    state: "failed",
    error: "The model's answer did not fit.",
    error_code: "invalid_answer",
  });
  renderInDrawer(<Failed />, { run: { state: "failed", detail } });
  expect(screen.getByText("Compaction failed; nothing changed")).toBeTruthy();
  expect(screen.getByText(/did not fit.*won't retry automatically.*Summary v3 stays in use/)).toBeTruthy();
  expect(screen.getByText("invalid_answer")).toBeTruthy();
});

test("the next attempt is shown in minutes, or as soon", () => {
  const now = Date.parse("2026-03-06T09:00:00Z");
  expect(nextAttempt("2026-03-06T09:01:30Z", now)).toBe("Retrying in 2 minutes.");
  expect(nextAttempt("2026-03-06T09:00:20Z", now)).toBe("Retrying in a moment.");
  expect(nextAttempt(null, now)).toBe("It won't retry automatically.");
});

test("a finished run shows what it freed and opens the comparison", async () => {
  const { navigate } = renderInDrawer(<Finished />, { run: { state: "succeeded", detail: run() } });
  expect(screen.getByText("≈ 2,500 live tokens freed")).toBeTruthy();
  expect(screen.getByText("10 messages, #1–10")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Changes" }));
  expect(navigate).toHaveBeenCalledWith({ name: "comparison", from: 2, to: 3, back: "context" });
});

test("an undone compaction can be repeated", async () => {
  const { requests } = renderInDrawer(<Finished />, {
    run: { state: "succeeded", detail: run() },
    answers: {
      [`POST ${COMPACTIONS}/r2/undo`]: () => json(run({ state: "undone" })),
      [`GET ${AT}/summary`]: () => json(summary(ROLLING, 4)),
      [`POST ${COMPACTIONS}`]: () => json({ operation: null, compaction: run({ id: "r3" }) }, 202),
    },
  });
  await userEvent.click(screen.getByRole("button", { name: "Undo this compaction" }));
  expect(
    await screen.findByText("Compaction undone. Summary v4 is in use and covers the same messages as v2."),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Compact again" }));
  expect((await lastBody(requests, "POST", COMPACTIONS)).body).toEqual({ level: "light" });
});

test("the undo of a first compaction says that no summary is left", async () => {
  renderInDrawer(<Finished />, {
    run: { state: "succeeded", detail: run({ base_version: 0, version: 1 }) },
    answers: {
      [`POST ${COMPACTIONS}/r2/undo`]: () => json(run({ state: "undone" })),
      [`GET ${AT}/summary`]: () => json({ ...summary(EMPTY, 2), summary_tokens: 0 }),
    },
  });
  await userEvent.click(screen.getByRole("button", { name: "Undo this compaction" }));
  expect(await screen.findByText("Compaction undone. There's no summary now.")).toBeTruthy();
});

test("only the last compaction can be undone, and the error says so", async () => {
  renderInDrawer(<Finished />, {
    run: { state: "succeeded", detail: run() },
    answers: { [`POST ${COMPACTIONS}/r2/undo`]: () => json({ code: "not_the_last" }, 409) },
  });
  await userEvent.click(screen.getByRole("button", { name: "Undo this compaction" }));
  expect(await screen.findByText(/Only the last compaction can be undone/)).toBeTruthy();
});

test("before a compaction that leaves little it warns, and otherwise does not", async () => {
  const little = (request: Request) => planAnswer(request, { preservation_ratio_after: 38 });
  renderInDrawer(<DrawerFooter />, { answers: { [`POST ${COMPACTIONS}?dry_run`]: little } });
  expect(
    await screen.findByText(/Leaves ≈ 38.0% of this chat's size, below your warning level/),
  ).toBeTruthy();
});

test("a compaction that leaves enough brings no warning", async () => {
  renderInDrawer(<DrawerFooter />);
  await screen.findByText(/Frees/);
  expect(screen.queryByText(/warning level/)).toBeNull();
});
