import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { show } from "@/testing/render";
import { HealthPill } from "./health-pill";
import { ringOf } from "./ring-of";
import { HEALTHY, mark, view } from "./testing/samples";

let connection = "open";
vi.mock("@/events/live", () => ({ useConnection: () => connection }));
beforeEach(() => {
  connection = "open";
});

test("the word and its reason are the server's", () => {
  show(<HealthPill view={view()} open={false} onToggle={vi.fn()} />);
  const pill = screen.getByRole("button", { name: /Healthy 42 % used/ });
  expect(pill.getAttribute("aria-expanded")).toBe("false");
});

test("it opens the drawer", async () => {
  const toggle = vi.fn();
  show(<HealthPill view={view()} open={false} onToggle={toggle} />);
  await userEvent.click(screen.getByRole("button", { name: /Open the context drawer/ }));
  expect(toggle).toHaveBeenCalledOnce();
});

test("a change of the word is told politely", () => {
  show(<HealthPill view={view()} open={false} onToggle={vi.fn()} />);
  expect(screen.getByRole("status").textContent).toBe("Healthy");
});

test("without a connection it says so", () => {
  connection = "away";
  show(<HealthPill view={view()} open={false} onToggle={vi.fn()} />);
  expect(screen.getByRole("button", { name: /Offline/ })).toBeTruthy();
});

test("the ring shows what is fixed, what is live, and where compaction comes", () => {
  const { arcs, tick } = ringOf(view());
  expect(arcs.map(({ layer, share }) => [layer, share])).toEqual([
    ["summary", 2000 / 12_000],
    ["recent", 4000 / 12_000],
  ]);
  expect(tick).toBe(10_000 / 12_000);
});

test("while a compaction runs the ring shows its progress and no threshold", () => {
  const compaction = mark({ state: "running" });
  const running = view(
    { compaction, health: HEALTHY },
    { stage: { runId: "r2", stage: "writing", progress: 35 } },
  );
  expect(ringOf(running)).toEqual({ arcs: [{ share: 0.35, layer: "progress" }], tick: null });
});
