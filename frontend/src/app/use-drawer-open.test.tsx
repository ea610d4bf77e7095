import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { keep } from "@/lib/local-storage";
import { show } from "@/testing/render";
import { useDrawerOpen } from "./use-drawer-open";

function Shown() {
  const [open, setOpen] = useDrawerOpen();
  return (
    <button type="button" onClick={() => setOpen(!open)}>
      {open ? "open" : "closed"}
    </button>
  );
}

function withRoom(matches: boolean) {
  const list = window.matchMedia("");
  vi.spyOn(window, "matchMedia").mockReturnValue(
    Object.assign(Object.create(list) as MediaQueryList, { matches }),
  );
}

test("a drawer that was left open is open again where there is room beside the thread", () => {
  keep("drawer-open", true);
  withRoom(true);
  show(<Shown />);
  expect(screen.getByRole("button").textContent).toBe("open");
});

test("where there is none it lies over no page that was only just opened", async () => {
  keep("drawer-open", true);
  withRoom(false);
  show(<Shown />);
  expect(screen.getByRole("button").textContent).toBe("closed");
  await userEvent.click(screen.getByRole("button"));
  expect(screen.getByRole("button").textContent).toBe("open");
});
