import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Me } from "@/api/session";
import { renderInApp } from "@/testing/render";
import { AS_MEMBER, me } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { SpendingBanner } from "./spending-banner";

const UNTIL = "2026-11-22T00:00:00Z";

function renderBanner(state: NonNullable<Me["spending"]>["state"], more: Partial<Me> = {}) {
  const user = me({
    spending: { state, detail: "What the server says.", without_model: "", resets_at: UNTIL },
    ...more,
  });
  renderInApp(
    <InShell me={user}>
      <SpendingBanner />
    </InShell>,
  );
}

test.each([
  ["background_stopped", "Replies only."],
  ["stopped", "Limit reached."],
  ["recall_only", "Models are off."],
] as const)("where spending is %s, a banner shows the server's reason", (state, label) => {
  renderBanner(state);
  expect(screen.getByRole("status").textContent).toContain(`${label} What the server says.`);
  expect(screen.getByRole("link", { name: "View limits" }).getAttribute("href")).toBe("/settings/limits");
});

test.each(["open", "warning"] as const)("where it is %s there is no banner", (state) => {
  renderBanner(state);
  expect(screen.getByRole("status").textContent).toBe("");
});

test("a user who cannot change the limits gets no link to them", () => {
  renderBanner("stopped", AS_MEMBER);
  expect(screen.getByRole("status").textContent).toContain("Limit reached.");
  expect(screen.queryByRole("link")).toBeNull();
});
