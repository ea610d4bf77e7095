// Loaded on first use in the page; here before the tests, which would otherwise wait for the file.
import "@/components/ui/diff";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { page } from "@/testing/samples";
import { renderInDrawer, lastBody } from "../testing/in-drawer";
import { AT, EMPTY, line, run, summary } from "../testing/samples";
import { Comparison } from "./comparison";
import { History } from "./history";

const RUNS = [
  run({ id: "r4", version: null, base_version: null, state: "failed", error: "The model did not answer." }),
  run({ id: "r3", version: 3, base_version: 2 }),
  run({ id: "r2", version: 2, base_version: 1 }),
];
const VERSIONS = [3, 2].map((version) => ({
  version,
  cause: version === 3 ? "correction" : "compaction",
  summary_tokens: 900,
  covers_through: 9,
  undone: version === 2,
  created_at: "2026-03-06T09:00:00Z",
  run_id: null,
  model: "",
}));

function renderHistory() {
  return renderInDrawer(<History />, {
    answers: {
      [`GET ${AT}/compactions`]: () => json(page(RUNS)),
      [`GET ${AT}/summary/versions`]: () => json(page(VERSIONS)),
    },
  });
}

test("each compaction shows its result, a failed one the reason", async () => {
  renderHistory();
  expect(await screen.findByText("The model did not answer.")).toBeTruthy();
  expect(screen.getAllByText(/light, manual · no model · 10 messages/)).toHaveLength(3);
});

test.each([
  ["ceiling", "too little of today's limit is left"],
  ["recall_only", "models are off in this workspace"],
  ["failed", "the model failed"],
  ["something_new", "the model was unavailable"],
])("a compaction that fell back because of %s says why no model wrote it", async (code, why) => {
  renderInDrawer(<History />, {
    answers: {
      [`GET ${AT}/compactions`]: () => json(page([run({ fallback_reason: code }), run({ id: "r1" })])),
    },
  });
  expect(await screen.findByText(`Written without a model: ${why}.`)).toBeTruthy();
  expect(screen.getAllByText(/^Written without a model/)).toHaveLength(1);
});

test("only the last active one can be undone", async () => {
  renderHistory();
  const undo = await screen.findAllByRole("button", { name: /^Undo the compaction/ });
  expect(undo.map((button) => button.getAttribute("aria-label"))).toEqual([
    "Undo the compaction that created version 3",
  ]);
});

test("versions show their origin, which is active, and which was undone", async () => {
  renderHistory();
  const newest = (await screen.findByText(/correction · 900 tokens · up to message 10/)).closest("li");
  expect(within(newest ?? document.body).getByText("in use")).toBeTruthy();
  const older = screen.getByText(/compaction · 900 tokens/).closest("li");
  expect(within(older ?? document.body).getByText("undone")).toBeTruthy();
});

test("a version is compared with the previous one", async () => {
  const { navigate } = renderHistory();
  const [first] = await screen.findAllByRole("button", { name: "Compare version 2 with version 3" });
  await userEvent.click(first ?? document.body);
  expect(navigate).toHaveBeenCalledWith({ name: "comparison", from: 2, to: 3, back: "history" });
});

test("a comparison highlights changed words", async () => {
  const before = summary({ ...EMPTY, goals: [line("Ship on Friday"), line("Stay small")] }, 2);
  const after = summary({ ...EMPTY, goals: [line("Ship on Monday"), line("Stay small")] }, 3);
  renderInDrawer(<Comparison from={2} to={3} />, {
    answers: {
      [`GET ${AT}/summary`]: ({ url }) => json(url.includes("version=2") ? before : after),
    },
  });
  expect((await screen.findByText("Monday")).tagName).toBe("INS");
  expect(screen.getByText("Friday").tagName).toBe("DEL");
  expect(screen.getByText("1 line unchanged")).toBeTruthy();
});

test("a removed line shows the reason, and links to the message that caused it", async () => {
  const before = summary({ ...EMPTY, open_questions: [line("Which day?"), line("Who pays?")] }, 2);
  const removed = [
    { field: "open_questions", key: "Which day?", text: "Which day?", reason: "answered", by: ["m7"] },
  ] as const;
  const { showMessage } = renderInDrawer(<Comparison from={2} to={3} />, {
    answers: {
      [`GET ${AT}/summary`]: ({ url }) =>
        json(url.includes("version=2") ? before : { ...summary(EMPTY, 3), removed }),
    },
  });
  const item = (await screen.findByText(/Which day\?/)).closest("li") as HTMLElement;
  expect(item.textContent).toContain("Answered by");
  await userEvent.click(within(item).getByRole("button", { name: /^Source: message 8/ }));
  expect(showMessage).toHaveBeenCalledWith(7);
  expect(screen.getByText(/Who pays\?/).closest("li")?.textContent).not.toContain("answered");
});

test("identical versions say so", async () => {
  renderInDrawer(<Comparison from={2} to={3} />);
  expect(await screen.findByText("No differences.")).toBeTruthy();
});

test("the newest version can be undone if it is a correction", async () => {
  const { requests } = renderInDrawer(<History />, {
    answers: {
      [`GET ${AT}/summary/versions`]: () => json(page(VERSIONS)),
      [`POST ${AT}/summary/corrections/undo`]: () => json(summary(EMPTY, 4)),
    },
  });
  await userEvent.click(
    await screen.findByRole("button", { name: "Undo the correction that created version 3" }),
  );
  expect(await screen.findByText("Change undone")).toBeTruthy();
  expect((await lastBody(requests, "POST", `${AT}/summary/corrections/undo`)).match).toBe('"3"');
});

test("a version that is not a correction has no such undo", async () => {
  const compacted = VERSIONS.map((version) => ({ ...version, cause: "compaction" }));
  renderInDrawer(<History />, { answers: { [`GET ${AT}/summary/versions`]: () => json(page(compacted)) } });
  await screen.findByText("in use");
  expect(screen.queryByRole("button", { name: /^Undo the correction/ })).toBeNull();
});

test("a reader cannot undo anything", async () => {
  renderInDrawer(<History />, {
    canWrite: false,
    answers: {
      [`GET ${AT}/compactions`]: () => json(page(RUNS)),
      [`GET ${AT}/summary/versions`]: () => json(page(VERSIONS)),
    },
  });
  await screen.findByText("in use");
  expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
});

test("the source of the numbers is shown next to them", async () => {
  renderHistory();
  expect((await screen.findAllByText(/live · 87.0% of full size · ≈/)).length).toBeGreaterThan(0);
  expect(screen.getByText("≈ tokens")).toBeTruthy();
});
