import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SummarySection } from "../summary/summary-section";
import { renderInDrawer } from "../testing/in-drawer";

function typed(): string {
  return screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" }).value;
}

test("restoring a discarded line keeps a draft that was started since", async () => {
  renderInDrawer(<SummarySection />);
  await userEvent.click(await screen.findByRole("button", { name: "Edit: Ship on Friday" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), " at noon{Escape}");
  await userEvent.click(screen.getByRole("button", { name: "Edit: Ship on Friday" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), " at one");
  await userEvent.click(screen.getAllByRole("button", { name: "Undo" })[0] as HTMLElement);
  expect(typed()).toBe("Ship on Friday at noon");
  await userEvent.click(screen.getAllByRole("button", { name: "Undo" }).at(-1) as HTMLElement);
  expect(typed()).toBe("Ship on Friday at one");
});
