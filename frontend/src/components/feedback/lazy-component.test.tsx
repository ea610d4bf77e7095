import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderInApp } from "@/testing/render";
import { lazyPanel } from "./lazy-component";

beforeEach(() => void vi.spyOn(console, "error").mockReturnValue());

type Module = { default: () => React.JSX.Element };
const loaded: Module = { default: () => <p>Search itself</p> };

function open(...answers: (() => Promise<Module>)[]) {
  const load = vi.fn(() => (answers.shift() ?? (() => Promise.resolve(loaded)))());
  const Panel = lazyPanel("Search", load);
  function Page() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <textarea aria-label="Message" />
        <button onClick={() => setOpen(true)}>Search</button>
        {isOpen && <Panel onMissing={() => setOpen(false)} onRetry={() => setOpen(true)} />}
      </>
    );
  }
  renderInApp(<Page />);
  return { Panel, load };
}

const failing = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

async function press(name: string) {
  await userEvent.click(await screen.findByRole("button", { name }));
}

test("a panel that cannot be loaded leaves the page intact, and can be retried", async () => {
  open(failing);
  await userEvent.type(screen.getByRole("textbox"), "Half a sentence");
  await press("Search");
  expect(await screen.findByText(/^Search couldn't be loaded/)).toBeTruthy();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("Half a sentence");
  await press("Try again");
  expect(await screen.findByText("Search itself")).toBeTruthy();
});

test("the button that opens a panel also retries it", async () => {
  open(failing);
  await press("Search");
  await screen.findByText(/^Search couldn't be loaded/);
  await press("Search");
  expect(await screen.findByText("Search itself")).toBeTruthy();
});

test("a page whose panels no longer exist asks to be reloaded", async () => {
  open(failing, failing);
  await press("Search");
  await press("Try again");
  expect(await screen.findByRole("button", { name: "Reload" })).toBeTruthy();
});

test("a panel that throws closes, and everything around it stays", async () => {
  open(() =>
    Promise.resolve({
      default: () => {
        throw new Error("broken");
      },
    }),
  );
  await press("Search");
  expect(await screen.findByText(/^Search couldn't be loaded/)).toBeTruthy();
  expect(screen.getByRole("textbox")).toBeTruthy();
});

test("a failed prefetch is silent", async () => {
  const { Panel, load } = open(failing);
  Panel.prefetch();
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce());
  await press("Search");
  expect(await screen.findByText("Search itself")).toBeTruthy();
});

test("a style sheet that failed to load is loaded again", () => {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  document.head.append(link);
  link.dispatchEvent(new Event("error"));
  expect(link.isConnected).toBe(false);
});
