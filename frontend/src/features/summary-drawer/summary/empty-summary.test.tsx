import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { renderInDrawer } from "../testing/in-drawer";
import { AT, EMPTY, pack, summary, view } from "../testing/samples";
import { SummarySection } from "./summary-section";

const NO_SUMMARY = { [`GET ${AT}/summary`]: () => json(summary(EMPTY, 0)) };

test("before the first compaction the section says when it comes, and leaves starting it to the footer", async () => {
  renderInDrawer(<SummarySection />, { answers: NO_SUMMARY });
  expect(
    await screen.findByText("The first compaction starts at 8,000 live tokens. This chat has ≈ 4,000."),
  ).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Compact now" })).toBeNull();
});

const LONG = { ...view().state.counts, live_tokens: 343_968 };

test.each([
  [null, "This chat has ≈ 343,968 live tokens. It compacts at the next pause."],
  [
    { code: "paused", params: {} },
    "This chat has ≈ 343,968 live tokens. Not needed yet: paused until you start it.",
  ],
] as const)("past the threshold the section does not announce it: %j", async (notDue, text) => {
  const due = pack({ not_due_reason: notDue, live_tokens: 343_968 });
  renderInDrawer(<SummarySection />, {
    view: view({ counts: LONG }),
    answers: { ...NO_SUMMARY, [`GET ${AT}/context`]: () => json(due) },
  });
  expect(await screen.findByText(text)).toBeTruthy();
});

test("during the first compaction the section says so", async () => {
  const run = { isUnderway: true, state: "running" } as const;
  renderInDrawer(<SummarySection />, { view: view({ counts: LONG }), run, answers: NO_SUMMARY });
  expect(
    await screen.findByText("The first compaction is in progress. This chat has ≈ 343,968 live tokens."),
  ).toBeTruthy();
});

test("an empty summary can be written by hand", async () => {
  renderInDrawer(<SummarySection />, { answers: NO_SUMMARY });
  await userEvent.click(await screen.findByRole("button", { name: "Write it yourself" }));
  expect(screen.getByRole("button", { name: "Add a goal" })).toBeTruthy();
});
