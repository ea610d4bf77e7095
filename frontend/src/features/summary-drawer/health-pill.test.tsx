import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { boxOf, addUnsent, removeUnsent } from "@/lib/outbox";
import { closeSocket, fakeSockets, InLive } from "@/testing/live";
import { renderInApp } from "@/testing/render";
import { InShell } from "@/testing/shell";
import { EmptyPill, HealthPill } from "./health-pill";
import { ringSegments } from "./ring-segments";
import { HEALTHY, compactionState, view } from "./testing/samples";

function pill(toggle = vi.fn(), latest = view(), isTemporary = false) {
  fakeSockets();
  renderInApp(
    <InLive>
      <InShell>
        <HealthPill view={latest} open={false} onToggle={toggle} isTemporary={isTemporary} />
      </InShell>
    </InLive>,
  );
}

test("label and reason follow from the server's codes", () => {
  pill();
  const button = screen.getByRole("button", { name: /Healthy ≈ 4,000 of 8,000 live tokens/ });
  expect(button.getAttribute("aria-expanded")).toBe("false");
});

test("during a compaction it shows the progress of the drawer, not that of an older health update", () => {
  const reason = { code: "running", params: { percent: 35 } } as const;
  const health = { ...HEALTHY, status: "compacting", reason, tone: "live" } as const;
  const compaction = compactionState({ state: "running", stage: "storing", progress: 90 });
  pill(vi.fn(), view({ health, compaction }, { stage: { runId: "r2", stage: "storing", progress: 90 } }));
  expect(screen.getByRole("button", { name: /Compacting 90%, keep writing/ })).toBeTruthy();
});

test("a queued compaction is shown before the next health update", () => {
  pill(vi.fn(), view({ compaction: compactionState({ state: "queued" }) }));
  expect(screen.getByRole("button", { name: /Compacting queued, keep writing/ })).toBeTruthy();
});

test("before the first message it says that the context is empty, and opens nothing", () => {
  fakeSockets();
  renderInApp(
    <InLive>
      <EmptyPill />
    </InLive>,
  );
  expect(screen.getByText("Empty").parentElement?.textContent).toBe("Empty nothing sent yet");
  expect(screen.queryByRole("button")).toBeNull();
  closeSocket();
  expect(screen.getByText("Offline")).toBeTruthy();
});

test("a temporary chat says so, unless something else has to be said", () => {
  pill(vi.fn(), view(), true);
  expect(screen.getByRole("button", { name: /Temporary learns nothing/ })).toBeTruthy();
  closeSocket();
  expect(screen.getByRole("button", { name: /Offline/ })).toBeTruthy();
});

test("before its first message a temporary chat says so too", () => {
  fakeSockets();
  renderInApp(
    <InLive>
      <EmptyPill isTemporary />
    </InLive>,
  );
  expect(screen.getByText("Temporary").parentElement?.textContent).toBe("Temporary learns nothing");
});

test("it opens the drawer", async () => {
  const toggle = vi.fn();
  pill(toggle);
  await userEvent.click(screen.getByRole("button", { name: /Open the Summary Drawer/ }));
  expect(toggle).toHaveBeenCalledOnce();
});

test("a change of the label is announced politely", () => {
  pill();
  expect(screen.getByRole("status").textContent).toBe("Healthy");
});

test("offline it says so", () => {
  pill();
  closeSocket();
  expect(screen.getByRole("button", { name: /Offline messages are queued here/ })).toBeTruthy();
});

test("offline it shows how many of the user's messages are unsent", () => {
  const [one, other] = [
    addUnsent(boxOf("u1", "w1", "c1"), "Hello"),
    addUnsent(boxOf("u1", "w1", "c2"), "Hello there"),
  ];
  addUnsent(boxOf("u2", "w1", "c1"), "Somebody else's");
  pill();
  closeSocket();
  expect(screen.getByRole("button", { name: /Offline 2 messages queued / })).toBeTruthy();
  act(() => removeUnsent(boxOf("u1", "w1", "c1"), one.externalId));
  expect(screen.getByRole("button", { name: /Offline 1 message queued / })).toBeTruthy();
  act(() => removeUnsent(boxOf("u1", "w1", "c2"), other.externalId));
});

test("the base of a percentage is available to screen readers", () => {
  const reason = { code: "used", params: { percent: 50 } } as const;
  pill(vi.fn(), view({ health: { ...HEALTHY, reason } }));
  const amount = "≈ 6,000 of 12,000 tokens";
  expect(screen.getByTitle(amount)).toBe(screen.getByRole("button", { name: new RegExp(amount) }));
});

test("the ring shows the fixed parts, the summary, the live tokens and the threshold", () => {
  const { arcs, tick } = ringSegments(view(), true);
  expect(arcs.map(({ layer, share }) => [layer, share])).toEqual([
    ["fixed", 1100 / 12_000],
    ["summary", 900 / 12_000],
    ["recent", 4000 / 12_000],
  ]);
  expect(tick).toBe(10_000 / 12_000);
});

test("without a summary the ring has no arc for it", () => {
  const { arcs } = ringSegments(view({ summary: { version: 0, tokens: 0, compaction_count: 0 } }), true);
  expect(arcs.map(({ layer }) => layer)).toEqual(["fixed", "recent"]);
});

test("without automatic compaction the ring has no tick", () => {
  expect(ringSegments(view(), false).tick).toBeNull();
});

test("during a compaction the ring shows its progress and no threshold", () => {
  const compaction = compactionState({ state: "running" });
  const running = view(
    { compaction, health: HEALTHY },
    { stage: { runId: "r2", stage: "writing", progress: 35 } },
  );
  expect(ringSegments(running, true)).toEqual({ arcs: [{ share: 0.35, layer: "progress" }], tick: null });
});
