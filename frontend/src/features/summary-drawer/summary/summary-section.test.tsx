import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { page } from "@/testing/samples";
import { AT, EMPTY, line, ROLLING, summary } from "../testing/samples";
import { renderInDrawer, lastBody } from "../testing/in-drawer";
import { SummarySection } from "./summary-section";

const CORRECTIONS = `${AT}/summary/corrections`;

function field(name: RegExp) {
  return within(screen.getByRole("button", { name }).closest("section") ?? document.body);
}

test("version, time and model are in the heading", async () => {
  const version = { version: 3, cause: "compaction", summary_tokens: 900, covers_through: 9, undone: false };
  const made = { ...version, created_at: "2026-03-06T09:00:07Z", run_id: "r2", model: "claude-haiku" };
  renderInDrawer(<SummarySection />, {
    answers: { [`GET ${AT}/summary/versions`]: () => json(page([made])) },
  });
  expect(await screen.findByText("v3")).toBeTruthy();
  expect(await screen.findByText(/claude-haiku/)).toBeTruthy();
});

test("during a compaction the old version is marked as active", async () => {
  renderInDrawer(<SummarySection />, { run: { isUnderway: true, state: "running" } });
  expect(await screen.findByText("v3, in use")).toBeTruthy();
});

test("all seven fields are shown with their counts, definitions in order", async () => {
  renderInDrawer(<SummarySection />);
  await screen.findByRole("button", { name: "Goals 1" });
  for (const name of ["Decisions 1", "Requirements 0", "Current plan 0", "Open questions 0", "References 1"])
    expect(screen.getByRole("button", { name })).toBeTruthy();
  const terms = field(/^Definitions 2/).getAllByText(/slot|hold/, { selector: "strong" });
  expect(terms.map(({ textContent }) => textContent)).toEqual(["slot", "hold"]);
});

test("a decision shows its reason, and code is formatted", async () => {
  renderInDrawer(<SummarySection />);
  expect(await screen.findByText("because JPY has no cents")).toBeTruthy();
  expect(screen.getByText("bigint").tagName).toBe("CODE");
});

test("a line is edited with the version that the user saw, and the correction undone", async () => {
  const edited = { ...ROLLING, goals: [{ ...line("Ship on Monday"), corrected: true }] };
  const { requests } = renderInDrawer(<SummarySection />, {
    answers: {
      [`POST ${CORRECTIONS}`]: () => json(summary(edited, 4)),
      [`POST ${CORRECTIONS}/undo`]: () => json(summary(ROLLING, 5)),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit: Ship on Friday" }));
  await userEvent.clear(screen.getByRole("textbox", { name: "Text" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), "Ship on Monday");
  await userEvent.click(screen.getByRole("button", { name: "Save line" }));
  expect(await screen.findByText("Line saved")).toBeTruthy();
  expect(await lastBody(requests, "POST", CORRECTIONS)).toEqual({
    body: { field: "goals", place: 0, line: { text: "Ship on Monday" } },
    match: '"3"',
  });
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText("Change undone")).toBeTruthy();
  expect((await lastBody(requests, "POST", `${CORRECTIONS}/undo`)).match).toBe('"4"');
});

test("the input survives a concurrent change", async () => {
  let now = summary();
  const { requests } = renderInDrawer(<SummarySection />, {
    answers: {
      [`GET ${AT}/summary`]: () => json(now),
      [`POST ${CORRECTIONS}`]: () => json({ code: "stale" }, 412),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit: Ship on Friday" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), " at noon");
  now = summary({ ...ROLLING, goals: [line("Hire somebody"), line("Ship on Friday", ["m2"])] }, 4);
  await userEvent.click(screen.getByRole("button", { name: "Save line" }));
  expect(await screen.findByText(/Your text is safe/)).toBeTruthy();
  expect(await screen.findByText("Hire somebody")).toBeTruthy();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" }).value).toBe(
    "Ship on Friday at noon",
  );
  await userEvent.click(screen.getByRole("button", { name: "Save line" }));
  expect(await lastBody(requests, "POST", CORRECTIONS)).toEqual({
    body: { field: "goals", place: 1, line: { text: "Ship on Friday at noon" } },
    match: '"4"',
  });
});

test("a line is added to an empty field, with the inputs of that field", async () => {
  const { requests } = renderInDrawer(<SummarySection />, {
    answers: { [`POST ${CORRECTIONS}`]: () => json(summary(ROLLING, 4)) },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Add a definition" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Term" }), "peak");
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), "after six");
  await userEvent.click(screen.getByRole("button", { name: "Save line" }));
  expect(await screen.findByText("Line added")).toBeTruthy();
  expect((await lastBody(requests, "POST", CORRECTIONS)).body).toEqual({
    field: "definitions",
    place: null,
    line: { term: "peak", text: "after six" },
  });
});

test("a full field reports its limit, and the input stays", async () => {
  renderInDrawer(<SummarySection />, {
    answers: { [`POST ${CORRECTIONS}`]: () => json({ code: "field_full", limit: 5 }, 409) },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Add a goal" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), "One more");
  await userEvent.click(screen.getByRole("button", { name: "Save line" }));
  expect(await screen.findByText(/holds up to 5 lines/)).toBeTruthy();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" }).value).toBe("One more");
});

test("a line is removed by its position", async () => {
  const { requests } = renderInDrawer(<SummarySection />, {
    answers: { [`POST ${CORRECTIONS}`]: () => json(summary(EMPTY, 4)) },
  });
  await userEvent.click(
    await screen.findByRole("button", { name: "Remove: hold: a booking without payment" }),
  );
  expect(await screen.findByText("Line removed")).toBeTruthy();
  expect((await lastBody(requests, "POST", CORRECTIONS)).body).toEqual({
    field: "definitions",
    place: 1,
    line: null,
  });
});

test("Esc cancels a correction", async () => {
  renderInDrawer(<SummarySection />);
  await userEvent.click(await screen.findByRole("button", { name: "Edit: Ship on Friday" }));
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(document.activeElement?.textContent).toBe("Goals 1");
});

test("a line is pinned with the category of its field", async () => {
  const { requests } = renderInDrawer(<SummarySection />, {
    answers: { [`POST ${AT}/pins`]: () => json({ id: "p9", token_count: 12 }, 201) },
  });
  await userEvent.click(await screen.findByRole("button", { name: /^Pin: Money is/ }));
  expect(await screen.findByText("Pinned (≈ 12 tokens)")).toBeTruthy();
  expect((await lastBody(requests, "POST", `${AT}/pins`)).body).toEqual({
    content: "Money is `bigint` (JPY has no cents)",
    category: "decision",
  });
});

function typed(name = "Text"): string {
  return screen.getByRole<HTMLTextAreaElement>("textbox", { name }).value;
}

test("a line removed during an edit keeps the input, and saving adds it", async () => {
  let now = summary();
  const { requests } = renderInDrawer(<SummarySection />, {
    answers: {
      [`GET ${AT}/summary`]: () => json(now),
      [`POST ${CORRECTIONS}`]: () => json({ code: "stale" }, 412),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit: Ship on Friday" }));
  const field = screen.getByRole("textbox", { name: "Text" });
  await userEvent.type(field, " at noon");
  now = summary({ ...ROLLING, goals: [line("Hire somebody")] }, 4);
  await userEvent.click(screen.getByRole("button", { name: "Save line" }));
  expect(await screen.findByText(/Saving adds your text as a new line/)).toBeTruthy();
  expect(typed()).toBe("Ship on Friday at noon");
  expect(screen.getByRole("textbox", { name: "Text" })).toBe(field);
  await userEvent.click(screen.getByRole("button", { name: "Save line" }));
  expect(await lastBody(requests, "POST", CORRECTIONS)).toEqual({
    body: { field: "goals", place: null, line: { text: "Ship on Friday at noon" } },
    match: '"4"',
  });
});

test("a reason that somebody else changed is not overwritten unseen", async () => {
  const changed = {
    ...ROLLING,
    goals: [],
    decisions: [{ ...line("Money is `bigint`", ["m3"]), reason: "VND" }],
  };
  const { requests } = renderInDrawer(<SummarySection />, {
    answers: {
      [`GET ${AT}/summary`]: () =>
        json(requests.some(({ method }) => method === "POST") ? summary(changed, 4) : summary()),
      [`POST ${CORRECTIONS}`]: () => json(summary(changed, 4)),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: /^Edit: Money is/ }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), " everywhere");
  await userEvent.click(screen.getByRole("button", { name: "Remove: Ship on Friday" }));
  expect(await screen.findByText("Line removed")).toBeTruthy();
  const many = requests.filter(({ method }) => method === "POST").length;
  await userEvent.click(screen.getByRole("button", { name: "Save line" }));
  expect(await screen.findByText("Current text: Money is `bigint` (VND)")).toBeTruthy();
  expect(requests.filter(({ method }) => method === "POST")).toHaveLength(many);
  await userEvent.click(screen.getByRole("button", { name: "Save line" }));
  expect(await lastBody(requests, "POST", CORRECTIONS)).toEqual({
    body: {
      field: "decisions",
      place: 0,
      line: { text: "Money is `bigint` everywhere", reason: "JPY has no cents" },
    },
    match: '"4"',
  });
});

test("a draft is restored when the drawer is reopened, without taking the focus", async () => {
  const { unmount } = renderInDrawer(<SummarySection />);
  await userEvent.click(await screen.findByRole("button", { name: "Edit: Ship on Friday" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), " at noon");
  unmount();
  renderInDrawer(<SummarySection />);
  await screen.findByText("because JPY has no cents");
  expect(typed()).toBe("Ship on Friday at noon");
  expect(document.activeElement).toBe(document.body);
});

test("a draft of an empty summary is restored too", async () => {
  const answers = { [`GET ${AT}/summary`]: () => json(summary(EMPTY, 0)) };
  const { unmount } = renderInDrawer(<SummarySection />, { answers });
  await userEvent.click(await screen.findByRole("button", { name: "Write it yourself" }));
  await userEvent.click(screen.getByRole("button", { name: "Add a goal" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), "Ship");
  unmount();
  renderInDrawer(<SummarySection />, { answers });
  await screen.findByRole("button", { name: "Add a goal" });
  expect(typed()).toBe("Ship");
});

test("discarded input can be restored", async () => {
  renderInDrawer(<SummarySection />);
  await userEvent.click(await screen.findByRole("button", { name: "Edit: Ship on Friday" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), " at noon{Escape}");
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.getByText("Draft saved")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(typed()).toBe("Ship on Friday at noon");
});

test("a reader sees no controls", async () => {
  renderInDrawer(<SummarySection />, { canWrite: false });
  await screen.findByText("because JPY has no cents");
  expect(screen.queryByRole("button", { name: /^(Add a|Edit|Remove|Pin)/ })).toBeNull();
});

test("a double click pins once", async () => {
  const { requests } = renderInDrawer(<SummarySection />, {
    answers: { [`POST ${AT}/pins`]: () => json({ id: "p9", token_count: 12 }, 201) },
  });
  const pin = await screen.findByRole("button", { name: /^Pin: Money is/ });
  pin.click();
  pin.click();
  expect(await screen.findByText("Pinned (≈ 12 tokens)")).toBeTruthy();
  expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("an untouched form is closed when the drawer is reopened", async () => {
  const { unmount } = renderInDrawer(<SummarySection />);
  await userEvent.click(await screen.findByRole("button", { name: "Add a goal" }));
  expect(screen.getByRole("textbox", { name: "Text" })).toBeTruthy();
  unmount();
  renderInDrawer(<SummarySection />);
  await screen.findByText("because JPY has no cents");
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("a full section says how many older lines were dropped, and links to the history", async () => {
  const full = { ...summary(ROLLING), dropped: { goals: 31 } };
  const { navigate } = renderInDrawer(<SummarySection />, {
    answers: { [`GET ${AT}/summary`]: () => json(full) },
  });
  expect(await screen.findByText(/31 older lines dropped because the section was full/)).toBeTruthy();
  await userEvent.click(screen.getAllByRole("button", { name: "History" }).at(-1) as HTMLElement);
  expect(navigate).toHaveBeenCalledWith({ name: "history" });
});
