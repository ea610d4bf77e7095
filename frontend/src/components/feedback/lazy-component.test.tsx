import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { show } from "@/testing/render";
import { lazily } from "./lazy-component";

beforeEach(() => void vi.spyOn(console, "error").mockReturnValue());

type Module = { default: () => React.JSX.Element };
const there: Module = { default: () => <p>The search itself</p> };

function open(...answers: (() => Promise<Module>)[]) {
  const fetched = vi.fn(() => (answers.shift() ?? (() => Promise.resolve(there)))());
  const Panel = lazily("The search", fetched);
  function Page() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <textarea aria-label="Message" />
        <button onClick={() => setOpen(true)}>Search</button>
        {isOpen && <Panel onMissing={() => setOpen(false)} onAgain={() => setOpen(true)} />}
      </>
    );
  }
  show(<Page />);
  return { Panel, fetched };
}

const away = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

async function press(name: string) {
  await userEvent.click(await screen.findByRole("button", { name }));
}

test("a panel that cannot be fetched takes nothing away, and can be asked for again", async () => {
  open(away);
  await userEvent.type(screen.getByRole("textbox"), "Half a sentence");
  await press("Search");
  expect(await screen.findByText(/^The search could not be loaded/)).toBeTruthy();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("Half a sentence");
  await press("Try again");
  expect(await screen.findByText("The search itself")).toBeTruthy();
});

test("the button that opened it opens it later, too", async () => {
  open(away);
  await press("Search");
  await screen.findByText(/^The search could not be loaded/);
  await press("Search");
  expect(await screen.findByText("The search itself")).toBeTruthy();
});

test("a page whose panels are gone for good is to be loaded again", async () => {
  open(away, away);
  await press("Search");
  await press("Try again");
  expect(await screen.findByRole("button", { name: "Load the page again" })).toBeTruthy();
});

test("a panel that breaks while it is shown closes, and everything around it stays", async () => {
  open(() =>
    Promise.resolve({
      default: () => {
        throw new Error("broken");
      },
    }),
  );
  await press("Search");
  expect(await screen.findByText(/^The search could not be loaded/)).toBeTruthy();
  expect(screen.getByRole("textbox")).toBeTruthy();
});

test("fetching it ahead in vain says nothing", async () => {
  const { Panel, fetched } = open(away);
  Panel.fetchAhead();
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce());
  await press("Search");
  expect(await screen.findByText("The search itself")).toBeTruthy();
});

test("a style sheet that failed is not taken for one that is there", () => {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  document.head.append(link);
  link.dispatchEvent(new Event("error"));
  expect(link.isConnected).toBe(false);
});
