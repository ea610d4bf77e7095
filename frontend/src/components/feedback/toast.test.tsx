import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Problem, Unreachable } from "@/api/problems";
import { renderInApp } from "@/testing/render";
import { problemMessage, toast, toastProblem } from "./toast";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function showToast(message: string, run?: () => void) {
  act(() => {
    toast(message, run === undefined ? {} : { action: { label: "Undo", run } });
  });
}

function advance(ms: number) {
  void act(() => vi.advanceTimersByTime(ms));
}

test("a toast closes after ten seconds", () => {
  renderInApp(null);
  showToast("Archived");
  advance(9_900);
  expect(screen.getByText("Archived")).toBeTruthy();
  advance(200);
  expect(screen.queryByText("Archived")).toBeNull();
});

test("a toast stays while the pointer is over it", () => {
  renderInApp(null);
  showToast("Archived");
  fireEvent.mouseEnter(screen.getByText("Archived").parentElement as Element);
  advance(60_000);
  expect(screen.getByText("Archived")).toBeTruthy();
  fireEvent.mouseLeave(screen.getByText("Archived").parentElement as Element);
  advance(10_000);
  expect(screen.queryByText("Archived")).toBeNull();
});

test("a toast stays while its action has the focus", () => {
  renderInApp(null);
  showToast("Archived", () => undefined);
  act(() => screen.getByRole("button", { name: "Undo" }).focus());
  advance(60_000);
  expect(screen.getByText("Archived")).toBeTruthy();
});

test("the action runs once and closes the toast", () => {
  const undo = vi.fn();
  renderInApp(null);
  showToast("Archived", undo);
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(undo).toHaveBeenCalledOnce();
  expect(screen.queryByText("Archived")).toBeNull();
});

test("a toast without an action can be closed", () => {
  renderInApp(null);
  showToast("Archived");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("Archived")).toBeNull();
});

test("only the newest toast is shown", () => {
  renderInApp(null);
  for (const name of ["one", "two"]) showToast(name);
  expect(screen.queryByText("one")).toBeNull();
  expect(screen.getByText("two")).toBeTruthy();
});

test("a toast is announced politely", () => {
  renderInApp(null);
  act(() => toastProblem(new Unreachable(null)));
  const region = screen.getByRole("region", { name: "Notifications" });
  expect(region.getAttribute("aria-live")).toBe("polite");
  expect(region.textContent).toContain("Can't reach the server.");
});

test.each([
  [new Problem(409, { detail: "This reply runs already." }), "This reply runs already."],
  [new Problem(412, { code: "stale" }), "This was changed elsewhere. Review it, then try again."],
  [new Problem(429, {}, 12), "Too many requests. Wait 12 seconds."],
  [
    new Problem(500, { code: "internal_error" }),
    "Something went wrong on the server (internal_error). Nothing was changed.",
  ],
  [new Problem(401, {}), "Your session ended. Sign in to continue."],
  [new TypeError("x is undefined"), "That didn't work. Nothing was changed."],
])("%s has a readable message", (error, words) => expect(problemMessage(error)).toBe(words));

test("the thread leaves room while a toast is shown", () => {
  const room = () => document.documentElement.style.getPropertyValue("--toast-room");
  renderInApp(null);
  showToast("Archived");
  expect(room()).not.toBe("");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(room()).toBe("");
});
