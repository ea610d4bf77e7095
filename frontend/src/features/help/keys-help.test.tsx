import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { kept } from "@/lib/local-storage";
import { show } from "@/testing/render";
import { InShell } from "@/testing/shell";
import KeysHelp from "./keys-help";

test("single letters can be switched off, and stay so", async () => {
  show(
    <InShell>
      <KeysHelp open onClose={() => undefined} />
    </InShell>,
  );
  const choice = screen.getByRole<HTMLInputElement>("switch", { name: /Single-letter keys/ });
  expect(choice.checked).toBe(true);
  await userEvent.click(choice);
  expect(choice.checked).toBe(false);
  expect(kept("single-keys", true)).toBe(false);
});

test("the tour can be taken again where there is a sample", async () => {
  const [startTour, onClose] = [vi.fn(), vi.fn()];
  show(
    <InShell startTour={startTour}>
      <KeysHelp open onClose={onClose} />
    </InShell>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Show me around" }));
  expect(startTour).toHaveBeenCalledOnce();
  expect(onClose).toHaveBeenCalledOnce();
});

test("without a sample no tour is offered", () => {
  show(
    <InShell>
      <KeysHelp open onClose={() => undefined} />
    </InShell>,
  );
  expect(screen.queryByRole("button", { name: "Show me around" })).toBeNull();
});
