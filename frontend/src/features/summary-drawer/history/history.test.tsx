import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { page } from "@/testing/samples";
import { inDrawer, sent } from "../testing/in-drawer";
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

function shown() {
  return inDrawer(<History />, {
    answers: {
      [`GET ${AT}/compactions`]: () => json(page(RUNS)),
      [`GET ${AT}/summary/versions`]: () => json(page(VERSIONS)),
    },
  });
}

test("every compaction tells what it did, a failed one why", async () => {
  shown();
  expect(await screen.findByText("The model did not answer.")).toBeTruthy();
  expect(screen.getAllByText(/light, by hand · without a model · 10 messages/)).toHaveLength(3);
});

test.each([
  ["ceiling", "less of today’s limit is left than it may take"],
  ["recall_only", "this workspace sends nothing to one"],
  ["failed", "it failed"],
  ["something_new", "it could not be asked"],
])("a compaction that fell back because of %s says why no model wrote it", async (code, why) => {
  inDrawer(<History />, {
    answers: { [`GET ${AT}/compactions`]: () => json(page([run({ fell_back: code }), run({ id: "r1" })])) },
  });
  expect(await screen.findByText(`Written without a model: ${why}.`)).toBeTruthy();
  expect(screen.getAllByText(/^Written without a model/)).toHaveLength(1);
});

test("only the last one that stands can be undone", async () => {
  shown();
  const undo = await screen.findAllByRole("button", { name: /^Undo the compaction/ });
  expect(undo.map((button) => button.getAttribute("aria-label"))).toEqual([
    "Undo the compaction that made version 3",
  ]);
});

test("versions say what made them, which is in use, and which was undone", async () => {
  shown();
  const newest = (await screen.findByText(/correction · 900 tokens · through #9/)).closest("li");
  expect(within(newest ?? document.body).getByText("in use")).toBeTruthy();
  const older = screen.getByText(/compaction · 900 tokens/).closest("li");
  expect(within(older ?? document.body).getByText("undone")).toBeTruthy();
});

test("a version is compared with the one before it", async () => {
  const { go } = shown();
  const [first] = await screen.findAllByRole("button", { name: "Compare version 2 with version 3" });
  await userEvent.click(first ?? document.body);
  expect(go).toHaveBeenCalledWith({ name: "comparison", from: 2, to: 3, back: "history" });
});

test("a comparison marks the words that changed", async () => {
  const before = summary({ ...EMPTY, goals: [line("Ship on Friday"), line("Stay small")] }, 2);
  const after = summary({ ...EMPTY, goals: [line("Ship on Monday"), line("Stay small")] }, 3);
  inDrawer(<Comparison from={2} to={3} />, {
    answers: {
      [`GET ${AT}/summary`]: ({ url }) => json(url.includes("version=2") ? before : after),
    },
  });
  expect((await screen.findByText("Monday")).tagName).toBe("INS");
  expect(screen.getByText("Friday").tagName).toBe("DEL");
  expect(screen.getByText("1 line unchanged")).toBeTruthy();
});

test("a line that left says why, and leads to the message that ended it", async () => {
  const before = summary({ ...EMPTY, open_questions: [line("Which day?"), line("Who pays?")] }, 2);
  const gone = [
    { field: "open_questions", key: "Which day?", text: "Which day?", because: "answered", by: ["m7"] },
  ] as const;
  const { onShow } = inDrawer(<Comparison from={2} to={3} />, {
    answers: {
      [`GET ${AT}/summary`]: ({ url }) =>
        json(url.includes("version=2") ? before : { ...summary(EMPTY, 3), gone }),
    },
  });
  const left = (await screen.findByText(/Which day\?/)).closest("li") as HTMLElement;
  expect(left.textContent).toContain("It was answered by");
  await userEvent.click(within(left).getByRole("button", { name: /^Source: message 7/ }));
  expect(onShow).toHaveBeenCalledWith(7);
  expect(screen.getByText(/Who pays\?/).closest("li")?.textContent).not.toContain("answered");
});

test("equal versions say that they are", async () => {
  inDrawer(<Comparison from={2} to={3} />);
  expect(await screen.findByText("Both versions say the same.")).toBeTruthy();
});

test("the newest version can be taken back there when it is a correction", async () => {
  const { asked } = inDrawer(<History />, {
    answers: {
      [`GET ${AT}/summary/versions`]: () => json(page(VERSIONS)),
      [`POST ${AT}/summary/corrections/undo`]: () => json(summary(EMPTY, 4)),
    },
  });
  await userEvent.click(
    await screen.findByRole("button", { name: "Undo the correction that made version 3" }),
  );
  expect(await screen.findByText("The line is as it was")).toBeTruthy();
  expect((await sent(asked, "POST", `${AT}/summary/corrections/undo`)).match).toBe('"3"');
});

test("a version that is no correction offers none", async () => {
  const compacted = VERSIONS.map((version) => ({ ...version, cause: "compaction" }));
  inDrawer(<History />, { answers: { [`GET ${AT}/summary/versions`]: () => json(page(compacted)) } });
  await screen.findByText("in use");
  expect(screen.queryByRole("button", { name: /^Undo the correction/ })).toBeNull();
});

test("who may only read can undo nothing", async () => {
  inDrawer(<History />, {
    canWrite: false,
    answers: {
      [`GET ${AT}/compactions`]: () => json(page(RUNS)),
      [`GET ${AT}/summary/versions`]: () => json(page(VERSIONS)),
    },
  });
  await screen.findByText("in use");
  expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
});

test("where the numbers come from stands beside them", async () => {
  shown();
  expect((await screen.findAllByText(/live · 87.0 % preserved · counted/)).length).toBeGreaterThan(0);
  expect(screen.getByText("tokens counted")).toBeTruthy();
});
