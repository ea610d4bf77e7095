import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { readStored } from "@/lib/local-storage";
import { renderInApp } from "@/testing/render";
import { InShell } from "@/testing/shell";
import KeysHelp from "./keys-help";

test("single-letter shortcuts can be disabled permanently", async () => {
  renderInApp(
    <InShell>
      <KeysHelp open onClose={() => undefined} />
    </InShell>,
  );
  const choice = screen.getByRole<HTMLInputElement>("switch", { name: /Single-letter keys/ });
  expect(choice.checked).toBe(true);
  await userEvent.click(choice);
  expect(choice.checked).toBe(false);
  expect(readStored("single-keys", true)).toBe(false);
});

test("the tour can be restarted if there is a demo conversation", async () => {
  const [startTour, onClose] = [vi.fn(), vi.fn()];
  renderInApp(
    <InShell startTour={startTour}>
      <KeysHelp open onClose={onClose} />
    </InShell>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Show me around" }));
  expect(startTour).toHaveBeenCalledOnce();
  expect(onClose).toHaveBeenCalledOnce();
});

test("without a demo conversation there is no tour", () => {
  renderInApp(
    <InShell>
      <KeysHelp open onClose={() => undefined} />
    </InShell>,
  );
  expect(screen.queryByRole("button", { name: "Show me around" })).toBeNull();
});
