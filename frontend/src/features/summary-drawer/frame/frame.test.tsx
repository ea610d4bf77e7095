import { act, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { show } from "@/testing/render";
import { PILL_ID } from "../health-pill";
import { Frame } from "./frame";

vi.mock("@/events/live", () => ({ useConnection: () => "open" }));

const turned = new Set<() => void>();

function atWidth(width: number) {
  const none = window.matchMedia("");
  const addEventListener = (_: string, changed: () => void) => turned.add(changed);
  vi.spyOn(window, "matchMedia").mockImplementation((query) => {
    const least = Number(/min-width: (\d+)px/.exec(query)?.[1] ?? 0);
    return Object.assign(Object.create(none) as MediaQueryList, {
      matches: width >= least,
      addEventListener,
    });
  });
  for (const changed of turned) changed();
}

/** Lines that go when they are pressed, and a button that does so too. */
function Lines() {
  const [lines, setLines] = useState(["One", "Two", "Three"]);
  const [goes, setGoes] = useState(true);
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
      {goes && (
        <button type="button" onClick={() => setGoes(false)}>
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
          head={
            <h2 tabIndex={-1} data-autofocus>
              Context
            </h2>
          }
          foot="Foot"
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

async function opened(width: number, onClose?: () => void) {
  atWidth(width);
  show(<Page {...(onClose && { onClose })} />);
  await userEvent.click(screen.getByRole("button", { name: "Pill" }));
}

test("beside the thread it is made wider and narrower by keys, within its limits, and stays so", async () => {
  await opened(1440);
  const edge = screen.getByRole("separator", { name: "Width of the context drawer" });
  edge.focus();
  await userEvent.keyboard("{ArrowLeft}");
  expect(edge.getAttribute("aria-valuenow")).toBe("464");
  await userEvent.keyboard("{End}{ArrowLeft}");
  expect(edge.getAttribute("aria-valuenow")).toBe("560");
  expect(localStorage.getItem("continuity:drawer-width")).toBe("560");
});

test("beside the thread it leaves the focus where it is", async () => {
  await opened(1440);
  expect(document.activeElement?.id).toBe(PILL_ID);
});

test("over the thread it takes the focus, and Esc gives it back to the pill", async () => {
  await opened(900);
  expect(screen.getByRole("dialog", { name: "Context" })).toBeTruthy();
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe("H2"));
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement?.id).toBe(PILL_ID);
});

test("on a phone it is a sheet that is half or whole", async () => {
  await opened(390);
  const sheet = screen.getByRole("dialog");
  expect(sheet.dataset["size"]).toBe("half");
  await userEvent.click(screen.getByRole("button", { name: "Show the whole drawer" }));
  expect(sheet.dataset["size"]).toBe("full");
});

function swipe(by: number) {
  const grip = screen.getByRole("button", { name: /drawer/ });
  grip.setPointerCapture = () => undefined;
  const from = { isPrimary: true, clientY: 400, pointerId: 1 };
  fireEvent.pointerDown(grip, from);
  fireEvent.pointerMove(grip.parentElement ?? grip, { ...from, clientY: 400 + by });
  fireEvent.pointerUp(grip, { ...from, clientY: 400 + by });
}

test("a swipe up makes it whole, a swipe down half, another closes it", async () => {
  HTMLElement.prototype.setPointerCapture = () => undefined;
  const close = vi.fn();
  await opened(390, close);
  swipe(-90);
  expect(screen.getByRole("dialog").dataset["size"]).toBe("full");
  swipe(90);
  expect(screen.getByRole("dialog").dataset["size"]).toBe("half");
  swipe(90);
  expect(close).toHaveBeenCalledOnce();
});

test("a slip of the finger changes nothing", async () => {
  HTMLElement.prototype.setPointerCapture = () => undefined;
  await opened(390);
  swipe(20);
  expect(screen.getByRole("dialog").dataset["size"]).toBe("half");
});

test("over the thread Esc closes it also when the focus is nowhere", async () => {
  await opened(900);
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe("H2"));
  act(() => (document.activeElement as HTMLElement).blur());
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("what is written outlives a turn of the phone", async () => {
  await opened(390);
  await userEvent.type(screen.getByRole("textbox", { name: "Written" }), "half a line");
  act(() => atWidth(900));
  expect(screen.getByRole("dialog").dataset["size"]).toBeUndefined();
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Written" }).value).toBe("half a line");
});

test("the focus goes from a line that is removed to the next, from the last one to the section's heading", async () => {
  await opened(900);
  await userEvent.click(screen.getByRole("button", { name: "One" }));
  await vi.waitFor(() => expect(focused()).toBe("Two"));
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(focused()).toBe("Three"));
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(focused()).toBe("Lines"));
});

test("the focus of a button that goes away stays in the drawer, so that Esc still closes it", async () => {
  await opened(1440);
  await userEvent.click(screen.getByRole("button", { name: "Goes" }));
  await vi.waitFor(() => expect(focused()).toBe("Lines"));
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("complementary")).toBeNull();
});

test("who takes the focus away from the drawer does not get it back", async () => {
  await opened(1440);
  screen.getByRole("button", { name: "Inside" }).focus();
  screen.getByRole("button", { name: "Inside" }).blur();
  await new Promise((resolve) => setTimeout(resolve, 5));
  fireEvent.click(screen.getByRole("button", { name: "Goes" }));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(document.activeElement).toBe(document.body);
});
