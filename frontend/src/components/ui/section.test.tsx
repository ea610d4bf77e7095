import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Section } from "./section";

test("a collapsed section stays collapsed on the next visit", async () => {
  const section = (
    <Section name="goals" title="Goals" count="2">
      Ship on Friday
    </Section>
  );
  const { unmount } = render(section);
  expect(screen.getByText("Ship on Friday")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Goals 2" }));
  expect(screen.queryByText("Ship on Friday")).toBeNull();
  unmount();
  render(section);
  expect(screen.getByRole("button", { name: "Goals 2" }).getAttribute("aria-expanded")).toBe("false");
});

test("a forced section is open", () => {
  render(
    <Section name="plan" title="Plan" count="0" openAtFirst={false} forceOpen>
      A form
    </Section>,
  );
  expect(screen.getByText("A form")).toBeTruthy();
});
