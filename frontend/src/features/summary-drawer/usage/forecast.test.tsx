import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { json } from "@/testing/render";
import { AT, HEALTHY, pack, view } from "../testing/samples";
import { renderInDrawer } from "../testing/in-drawer";
import { Forecast } from "./forecast";
import { SizeAfterCompaction } from "./size";

const SERIES = {
  points: [0, 10, 20].map((index) => ({ index, live_tokens: index * 300, source: "counted" })),
  compactions: [{ run_id: "r2", index: 10, tokens_before: 9000, tokens_after: 6500, source: "counted" }],
};

test("the forecast is marked as an estimate, with its basis", async () => {
  renderInDrawer(<Forecast />);
  expect((await screen.findByText("≈ 5 turns until compaction")).title).toBe("Estimated");
  expect(screen.getByText("estimated, median of 5 turns")).toBeTruthy();
});

test("the reason why no compaction is due is shown below it", async () => {
  renderInDrawer(<Forecast />);
  expect(await screen.findByText("Not needed yet: 4,000 of 8,000 live tokens.")).toBeTruthy();
});

test("without a forecast it says so", async () => {
  renderInDrawer(<Forecast />, {
    view: view({ health: { ...HEALTHY, turns_until_compaction: null } }),
    answers: { [`GET ${AT}/context`]: () => json(pack({ not_due_reason: null })) },
  });
  expect(await screen.findByText("No forecast")).toBeTruthy();
});

test("after an undo no compaction is announced", async () => {
  const rests = pack({ not_due_reason: { code: "paused_until", params: { tokens: 16_000 } } });
  renderInDrawer(<Forecast />, {
    view: view({ health: { ...HEALTHY, turns_until_compaction: 0 } }),
    answers: { [`GET ${AT}/context`]: () => json(rests) },
  });
  const said = "Not needed yet: paused until 16,000 live tokens.";
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.queryByText("Compacts at the next pause")).toBeNull();
});

test("a series that could not be loaded is reported", async () => {
  renderInDrawer(<Forecast />, { answers: { [`GET ${AT}/live/series`]: () => json({}, 500) } });
  expect(await screen.findByText(/Couldn't load/)).toBeTruthy();
});

test("a compaction in the chart opens its comparison", async () => {
  const { navigate } = renderInDrawer(<Forecast />, {
    answers: { [`GET ${AT}/live/series`]: () => json(SERIES) },
  });
  await userEvent.click(await screen.findByRole("button", { name: /Compaction after message 11/ }));
  const page = { name: "comparison", from: 2, to: 3, back: "context" };
  await vi.waitFor(() => expect(navigate).toHaveBeenCalledWith(page));
});

test("compactions too close to be clicked share one marker, which opens the history", async () => {
  const [first] = SERIES.compactions;
  const near = { ...SERIES, compactions: [first, { ...first, run_id: "r3", index: 11 }] };
  const { navigate } = renderInDrawer(<Forecast />, {
    answers: { [`GET ${AT}/live/series`]: () => json(near) },
  });
  await userEvent.click(
    await screen.findByRole("button", { name: /^2 compactions after messages 11 to 12/ }),
  );
  expect(navigate).toHaveBeenCalledWith({ name: "history" });
});

test("the size after compaction is shown with its warning level", async () => {
  renderInDrawer(<SizeAfterCompaction />);
  expect((await screen.findByRole("meter")).getAttribute("aria-valuetext")).toContain("warning level 60%");
  expect(screen.getByText("≈ 82.0%")).toBeTruthy();
});

test("a chat that was never compacted has no size after compaction", async () => {
  const { requests, container } = renderInDrawer(<SizeAfterCompaction />, {
    answers: { [`GET ${AT}/context`]: () => json(pack({ preservation_ratio: 100 })) },
  });
  await vi.waitFor(() => expect(requests).not.toHaveLength(0));
  expect(container.querySelector("section")).toBeNull();
});

test("below the minimum the warning and its reason are shown", async () => {
  const warnings = [{ code: "low_preservation" as const, params: { percent: 54, minimum: 60 } }];
  const low = pack({ preservation_ratio: 54, warnings });
  renderInDrawer(<SizeAfterCompaction />, { answers: { [`GET ${AT}/context`]: () => json(low) } });
  expect(
    await screen.findByText("This chat is down to 54.0% of its size, below your warning level of 60%."),
  ).toBeTruthy();
  expect(screen.getByText(/only in the summary now/)).toBeTruthy();
});
