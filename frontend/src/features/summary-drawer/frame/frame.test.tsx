import { act, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { renderInApp } from "@/testing/render";
import { PILL_ID } from "../health-pill";
import { Frame } from "./frame";

const rotated = new Set<() => void>();

function atWidth(width: number) {
  const none = window.matchMedia("");
  const addEventListener = (_: string, changed: () => void) => rotated.add(changed);
  vi.spyOn(window, "matchMedia").mockImplementation((query) => {
    const minimum = Number(/min-width: (\d+)px/.exec(query)?.[1] ?? 0);
    return Object.assign(Object.create(none) as MediaQueryList, {
      matches: width >= minimum,
      addEventListener,
    });
  });
  for (const changed of rotated) changed();
}

/** Lines that remove themselves when clicked, and a button that does the same. */
function Lines() {
  const [lines, setLines] = useState(["One", "Two", "Three"]);
  const [isShown, setShown] = useState(true);
  return (
    <section>
      <h3>
        <button type="button">Lines</button>
      </h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <button type="button" onClick={() => setLines(lines.filter((one) => one !== line))}>
              {line}
            </button>
          </li>
        ))}
      </ul>
      {isShown && (
        <button type="button" onClick={() => setShown(false)}>
          Goes
        </button>
      )}
    </section>
  );
}

function focused(): string | null | undefined {
  return document.activeElement?.textContent;
}

function Page({ onClose = () => undefined }: { onClose?: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button id={PILL_ID} type="button" onClick={() => setOpen(true)}>
        Pill
      </button>
      {open && (
        <Frame
          header={
            <h2 tabIndex={-1} data-autofocus>
              Context
            </h2>
          }
          footer="Foot"
          scrollKey="context"
          onClose={() => {
            setOpen(false);
            onClose();
          }}
        >
          <button type="button">Inside</button>
          <input aria-label="Written" />
          <Lines />
        </Frame>
      )}
    </>
  );
}

async function renderOpen(width: number, onClose?: () => void) {
  atWidth(width);
  renderInApp(<Page {...(onClose && { onClose })} />);
  await userEvent.click(screen.getByRole("button", { name: "Pill" }));
}

test("next to the thread it is resized by keys, within limits, and the width is stored", async () => {
  await renderOpen(1440);
  const edge = screen.getByRole("separator", { name: "Width of the Summary Drawer" });
  edge.focus();
  await userEvent.keyboard("{ArrowLeft}");
  expect(edge.getAttribute("aria-valuenow")).toBe("464");
  await userEvent.keyboard("{End}{ArrowLeft}");
  expect(edge.getAttribute("aria-valuenow")).toBe("560");
  expect(localStorage.getItem("continuity:drawer-width")).toBe("560");
});

test("next to the thread it does not take the focus", async () => {
  await renderOpen(1440);
  expect(document.activeElement?.id).toBe(PILL_ID);
});

test("over the thread it takes the focus, and Esc returns it to the pill", async () => {
  await renderOpen(900);
  expect(screen.getByRole("dialog", { name: "Context" })).toBeTruthy();
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe("H2"));
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement?.id).toBe(PILL_ID);
});

test("on a phone it is a sheet of half or full height", async () => {
  await renderOpen(390);
  const sheet = screen.getByRole("dialog");
  expect(sheet.dataset["size"]).toBe("half");
  await userEvent.click(screen.getByRole("button", { name: "Show the whole drawer" }));
  expect(sheet.dataset["size"]).toBe("full");
});

function swipe(by: number) {
  const handle = screen.getByRole("button", { name: /drawer/ });
  handle.setPointerCapture = () => undefined;
  const from = { isPrimary: true, clientY: 400, pointerId: 1 };
  fireEvent.pointerDown(handle, from);
  fireEvent.pointerMove(handle.parentElement ?? handle, { ...from, clientY: 400 + by });
  fireEvent.pointerUp(handle, { ...from, clientY: 400 + by });
}

test("swiping up expands it, swiping down collapses it, and then closes it", async () => {
  HTMLElement.prototype.setPointerCapture = () => undefined;
  const close = vi.fn();
  await renderOpen(390, close);
  swipe(-90);
  expect(screen.getByRole("dialog").dataset["size"]).toBe("full");
  swipe(90);
  expect(screen.getByRole("dialog").dataset["size"]).toBe("half");
  swipe(90);
  expect(close).toHaveBeenCalledOnce();
});

test("a short drag changes nothing", async () => {
  HTMLElement.prototype.setPointerCapture = () => undefined;
  await renderOpen(390);
  swipe(20);
  expect(screen.getByRole("dialog").dataset["size"]).toBe("half");
});

test("over the thread Esc closes it even without focus", async () => {
  await renderOpen(900);
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe("H2"));
  act(() => (document.activeElement as HTMLElement).blur());
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("input survives rotating the phone", async () => {
  await renderOpen(390);
  await userEvent.type(screen.getByRole("textbox", { name: "Written" }), "half a line");
  act(() => atWidth(900));
  expect(screen.getByRole("dialog").dataset["size"]).toBeUndefined();
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Written" }).value).toBe("half a line");
});

test("the focus moves from a removed line to the next, and from the last one to the section's heading", async () => {
  await renderOpen(900);
  await userEvent.click(screen.getByRole("button", { name: "One" }));
  await vi.waitFor(() => expect(focused()).toBe("Two"));
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(focused()).toBe("Three"));
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(focused()).toBe("Lines"));
});

test("the focus of a removed button stays in the drawer, so that Esc still closes it", async () => {
  await renderOpen(1440);
  await userEvent.click(screen.getByRole("button", { name: "Goes" }));
  await vi.waitFor(() => expect(focused()).toBe("Lines"));
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("complementary")).toBeNull();
});

test("focus that the user moved out of the drawer is not brought back", async () => {
  await renderOpen(1440);
  screen.getByRole("button", { name: "Inside" }).focus();
  screen.getByRole("button", { name: "Inside" }).blur();
  await new Promise((resolve) => setTimeout(resolve, 5));
  fireEvent.click(screen.getByRole("button", { name: "Goes" }));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(document.activeElement).toBe(document.body);
});
