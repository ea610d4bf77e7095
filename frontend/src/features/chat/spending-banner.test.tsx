import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Me } from "@/api/session";
import { show } from "@/testing/render";
import { AS_MEMBER, me } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { SpendingBanner } from "./spending-banner";

const UNTIL = "2026-11-22T00:00:00Z";

function banner(state: NonNullable<Me["spending"]>["state"], more: Partial<Me> = {}) {
  const who = me({
    spending: { state, detail: "What the server says.", without_model: "", resets_at: UNTIL },
    ...more,
  });
  show(
    <InShell me={who}>
      <SpendingBanner />
    </InShell>,
  );
}

test.each([
  ["background_stopped", "Replies only."],
  ["stopped", "Limit reached."],
  ["recall_only", "Recall only."],
] as const)("where spending is %s, a word says so with the server's reason", (state, word) => {
  banner(state);
  expect(screen.getByRole("status").textContent).toContain(`${word} What the server says.`);
  expect(screen.getByRole("link", { name: "Look at the limits" }).getAttribute("href")).toBe(
    "/settings/limits",
  );
});

test.each(["open", "warning"] as const)("where it is %s nothing is said", (state) => {
  banner(state);
  expect(screen.getByRole("status").textContent).toBe("");
});

test("who cannot change the limits is not led there", () => {
  banner("stopped", AS_MEMBER);
  expect(screen.getByRole("status").textContent).toContain("Limit reached.");
  expect(screen.queryByRole("link")).toBeNull();
});
