import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderInApp } from "@/testing/render";
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

test("the total and the limit are available as text", () => {
  render(<ContextBar parts={PARTS} limit={12_000} threshold={{ at: 8100, live: 8000 }} />);
  expect(screen.getByRole("meter").getAttribute("aria-valuetext")).toBe(
    "5,000 of 12,000 tokens, compacts at 8,000 live tokens",
  );
});

test("parts have the order of the pack, and empty ones are not drawn", () => {
  const { container } = render(<ContextBar parts={PARTS} limit={12_000} />);
  expect(partsOf(container)).toEqual(["system", "recent", "free"]);
});

test("the threshold's label is on its left in the upper half, on its right in the lower half", () => {
  const { rerender } = render(
    <ContextBar parts={PARTS} limit={12_000} threshold={{ at: 8100, live: 8000 }} />,
  );
  expect(screen.getByText("compacts at 8,000 live tokens").dataset["side"]).toBe("left");
  rerender(<ContextBar parts={PARTS} limit={32_000} threshold={{ at: 8100, live: 8000 }} />);
  expect(screen.getByText("compacts at 8,000 live tokens").dataset["side"]).toBe("right");
});

test("the size after a compaction is an estimate before it, and counted after it", () => {
  const { rerender } = renderInApp(
    <ContextBar parts={PARTS} limit={12_000} after={{ tokens: 4000, source: "estimated" }} />,
  );
  expect(screen.getByText("≈ 4,000")).toBeTruthy();
  rerender(<ContextBar parts={PARTS} limit={12_000} after={{ tokens: 4100, source: "counted" }} />);
  expect(screen.getByText("4,100")).toBeTruthy();
});

test("a part can be chosen by a click, free space cannot", () => {
  const choose = vi.fn();
  const { container } = render(<ContextBar parts={PARTS} limit={12_000} onChoose={choose} />);
  fireEvent.click(container.querySelector(".p-recent") ?? container);
  fireEvent.click(container.querySelector(".p-free") ?? container);
  expect(choose.mock.calls).toEqual([["recent"]]);
});
