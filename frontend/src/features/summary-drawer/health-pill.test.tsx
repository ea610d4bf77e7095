import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { boxOf, put, take } from "@/lib/outbox";
import { show } from "@/testing/render";
import { InShell } from "@/testing/shell";
import { HealthPill } from "./health-pill";
import { ringOf } from "./ring-segments";
import { HEALTHY, mark, view } from "./testing/samples";

let connection = "open";
vi.mock("@/events/live", () => ({ useConnection: () => connection }));
beforeEach(() => {
  connection = "open";
});

function pill(toggle = vi.fn()) {
  show(
    <InShell>
      <HealthPill view={view()} open={false} onToggle={toggle} />
    </InShell>,
  );
}

test("the word and its reason follow from the server's codes", () => {
  pill();
  const button = screen.getByRole("button", { name: /Healthy 42 % used/ });
  expect(button.getAttribute("aria-expanded")).toBe("false");
});

test("it opens the drawer", async () => {
  const toggle = vi.fn();
  pill(toggle);
  await userEvent.click(screen.getByRole("button", { name: /Open the context drawer/ }));
  expect(toggle).toHaveBeenCalledOnce();
});

test("a change of the word is told politely", () => {
  pill();
  expect(screen.getByRole("status").textContent).toBe("Healthy");
});

test("without a connection it says so", () => {
  connection = "away";
  pill();
  expect(screen.getByRole("button", { name: /Offline what you send waits here/ })).toBeTruthy();
});

test("without a connection it says how much waits, of everything that this person wrote here", () => {
  connection = "away";
  const [one, other] = [put(boxOf("u1", "w1", "c1"), "Hello"), put(boxOf("u1", "w1", "c2"), "Hello there")];
  put(boxOf("u2", "w1", "c1"), "Somebody else's");
  pill();
  expect(screen.getByRole("button", { name: /Offline 2 messages wait / })).toBeTruthy();
  act(() => take(boxOf("u1", "w1", "c1"), one.externalId));
  expect(screen.getByRole("button", { name: /Offline 1 message waits / })).toBeTruthy();
  act(() => take(boxOf("u1", "w1", "c2"), other.externalId));
});

test("what its percentage is of is told too", () => {
  pill();
  const amount = "6,000 of 12,000 tokens, counted";
  expect(screen.getByTitle(amount)).toBe(screen.getByRole("button", { name: new RegExp(amount) }));
});

test("the ring shows what is always sent, the summary, what is live, and where compaction comes", () => {
  const { arcs, tick } = ringOf(view(), true);
  expect(arcs.map(({ layer, share }) => [layer, share])).toEqual([
    ["fixed", 1100 / 12_000],
    ["summary", 900 / 12_000],
    ["recent", 4000 / 12_000],
  ]);
  expect(tick).toBe(10_000 / 12_000);
});

test("without a summary the ring has no arc of one", () => {
  const { arcs } = ringOf(view({ summary: { version: 0, tokens: 0, compaction_count: 0 } }), true);
  expect(arcs.map(({ layer }) => layer)).toEqual(["fixed", "recent"]);
});

test("where nothing is compacted by itself the ring has no tick", () => {
  expect(ringOf(view(), false).tick).toBeNull();
});

test("while a compaction runs the ring shows its progress and no threshold", () => {
  const compaction = mark({ state: "running" });
  const running = view(
    { compaction, health: HEALTHY },
    { stage: { runId: "r2", stage: "writing", progress: 35 } },
  );
  expect(ringOf(running, true)).toEqual({ arcs: [{ share: 0.35, layer: "progress" }], tick: null });
});
