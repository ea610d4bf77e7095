import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Problem, Unreachable } from "@/api/problems";
import { show } from "@/testing/render";
import { problemWords, toast, toastProblem } from "./toast";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function say(message: string, run?: () => void) {
  act(() => {
    toast(message, run === undefined ? {} : { action: { label: "Undo", run } });
  });
}

function later(ms: number) {
  void act(() => vi.advanceTimersByTime(ms));
}

test("a toast goes by itself after ten seconds", () => {
  show(null);
  say("Archived");
  later(9_900);
  expect(screen.getByText("Archived")).toBeTruthy();
  later(200);
  expect(screen.queryByText("Archived")).toBeNull();
});

test("a toast stays while the pointer rests on it", () => {
  show(null);
  say("Archived");
  fireEvent.mouseEnter(screen.getByText("Archived").parentElement as Element);
  later(60_000);
  expect(screen.getByText("Archived")).toBeTruthy();
  fireEvent.mouseLeave(screen.getByText("Archived").parentElement as Element);
  later(10_000);
  expect(screen.queryByText("Archived")).toBeNull();
});

test("a toast stays while its action has the focus", () => {
  show(null);
  say("Archived", () => undefined);
  act(() => screen.getByRole("button", { name: "Undo" }).focus());
  later(60_000);
  expect(screen.getByText("Archived")).toBeTruthy();
});

test("the action is done once, and the toast is gone", () => {
  const undo = vi.fn();
  show(null);
  say("Archived", undo);
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(undo).toHaveBeenCalledOnce();
  expect(screen.queryByText("Archived")).toBeNull();
});

test("a toast without an action can be closed", () => {
  show(null);
  say("Archived");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("Archived")).toBeNull();
});

test("of many only the newest three are shown", () => {
  show(null);
  for (const name of ["one", "two", "three", "four"]) say(name);
  expect(screen.queryByText("one")).toBeNull();
  expect(screen.getByText("four")).toBeTruthy();
});

test("a toast is told politely", () => {
  show(null);
  act(() => toastProblem(new Unreachable(null)));
  const region = screen.getByRole("region", { name: "Notices" });
  expect(region.getAttribute("aria-live")).toBe("polite");
  expect(region.textContent).toContain("The server does not answer.");
});

test.each([
  [new Problem(409, { detail: "This reply runs already." }), "This reply runs already."],
  [new Problem(412, { code: "stale" }), "It was changed meanwhile. Look at it and try again."],
  [new Problem(429, {}, 12), "Too many requests. Wait 12 s."],
  [new Problem(500, { code: "internal_error" }), "The server failed; nothing was changed (internal_error)."],
  [new Problem(401, {}), "Your session ended. Sign in to go on."],
  [new TypeError("x is undefined"), "That did not work. Nothing was changed."],
])("%s is said in words for people", (error, words) => expect(problemWords(error)).toBe(words));
