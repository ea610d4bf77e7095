import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { readStored, writeStored } from "@/lib/local-storage";
import { renderInApp } from "@/testing/render";
import { useDrawerOpen } from "./use-drawer-open";

function DrawerButton({ isTouring = false }: { isTouring?: boolean }) {
  const [open, setOpen] = useDrawerOpen(isTouring);
  return (
    <button type="button" onClick={() => setOpen(!open)}>
      {open ? "open" : "closed"}
    </button>
  );
}

function setFits(matches: boolean) {
  const list = window.matchMedia("");
  vi.spyOn(window, "matchMedia").mockReturnValue(
    Object.assign(Object.create(list) as MediaQueryList, { matches }),
  );
}

test("a drawer that was left open reopens where it fits next to the thread", () => {
  writeStored("drawer-open", true);
  setFits(true);
  renderInApp(<DrawerButton />);
  expect(screen.getByRole("button").textContent).toBe("open");
});

test("a drawer that would cover the thread starts closed", async () => {
  writeStored("drawer-open", true);
  setFits(false);
  renderInApp(<DrawerButton />);
  expect(screen.getByRole("button").textContent).toBe("closed");
  await userEvent.click(screen.getByRole("button"));
  expect(screen.getByRole("button").textContent).toBe("open");
});

test("the tour opens it where it fits next to the thread, and the browser does not remember that", () => {
  setFits(true);
  const { rerender } = renderInApp(<DrawerButton isTouring />);
  expect(screen.getByRole("button").textContent).toBe("open");
  expect(readStored("drawer-open", false)).toBe(false);
  rerender(<DrawerButton />);
  expect(screen.getByRole("button").textContent).toBe("open");
});

test("the tour does not cover the thread with it", () => {
  setFits(false);
  renderInApp(<DrawerButton isTouring />);
  expect(screen.getByRole("button").textContent).toBe("closed");
});

test("a drawer that was closed during the tour stays closed", async () => {
  setFits(true);
  const { rerender } = renderInApp(<DrawerButton isTouring />);
  await userEvent.click(screen.getByRole("button"));
  rerender(<DrawerButton isTouring />);
  expect(screen.getByRole("button").textContent).toBe("closed");
});
