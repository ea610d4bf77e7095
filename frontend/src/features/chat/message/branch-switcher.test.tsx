import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderInApp } from "@/testing/render";
import { BranchSwitcher } from "./branch-switcher";

function renderSwitcher(position: number) {
  const branches = { index: 4, conversation_ids: ["a", "b", "c"], position };
  renderInApp(<BranchSwitcher branches={branches} isCurrent={true} />);
}

const link = (name: string) => screen.queryByRole("link", { name })?.getAttribute("href");

test("the switcher leads to the message in the neighboring branches", () => {
  renderSwitcher(1);
  expect(screen.getByRole("group", { name: "Branch 2 of 3" }).textContent).toBe("2/3");
  expect(link("Previous branch")).toBe("/c/a?m=4");
  expect(link("Next branch")).toBe("/c/c?m=4");
});

test("the first branch has no previous one", () => {
  renderSwitcher(0);
  expect(link("Previous branch")).toBeUndefined();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Previous branch" }).disabled).toBe(true);
});
