import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { show } from "@/testing/render";
import { type BarPart, ContextBar } from "./context-bar";

const PARTS: BarPart[] = [
  { layer: "system", tokens: 100 },
  { layer: "summary", tokens: 0 },
  { layer: "recent", tokens: 4900 },
  { layer: "free", tokens: 7000 },
];

function partsOf(container: HTMLElement) {
  return [...container.querySelectorAll("[class*=p-]")].map((part) => /p-(\w+)/.exec(part.className)?.[1]);
}

test("what is used of what is told in words", () => {
  render(<ContextBar parts={PARTS} limit={12_000} threshold={{ at: 8100, live: 8000 }} />);
  expect(screen.getByRole("meter").getAttribute("aria-valuetext")).toBe(
    "5,000 of 12,000 tokens, compacts at 8,000 live",
  );
});

test("parts stand in the order of the pack, empty ones are not drawn", () => {
  const { container } = render(<ContextBar parts={PARTS} limit={12_000} />);
  expect(partsOf(container)).toEqual(["system", "recent", "free"]);
});

test("the threshold's words stand at its left, below the half at its right", () => {
  const { rerender } = render(
    <ContextBar parts={PARTS} limit={12_000} threshold={{ at: 8100, live: 8000 }} />,
  );
  expect(screen.getByText("compacts at 8,000 live").dataset["side"]).toBe("left");
  rerender(<ContextBar parts={PARTS} limit={32_000} threshold={{ at: 8100, live: 8000 }} />);
  expect(screen.getByText("compacts at 8,000 live").dataset["side"]).toBe("right");
});

test("the size after a compaction is an estimate before it, and counted after it", () => {
  const { rerender } = show(
    <ContextBar parts={PARTS} limit={12_000} after={{ tokens: 4000, source: "estimated" }} />,
  );
  expect(screen.getByText("≈ 4,000")).toBeTruthy();
  rerender(<ContextBar parts={PARTS} limit={12_000} after={{ tokens: 4100, source: "counted" }} />);
  expect(screen.getByText("4,100")).toBeTruthy();
});

test("a part is chosen by a click on it, what is free is not", () => {
  const choose = vi.fn();
  const { container } = render(<ContextBar parts={PARTS} limit={12_000} onChoose={choose} />);
  fireEvent.click(container.querySelector(".p-recent") ?? container);
  fireEvent.click(container.querySelector(".p-free") ?? container);
  expect(choose.mock.calls).toEqual([["recent"]]);
});
