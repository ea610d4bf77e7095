import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes, useLocation } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { useShell } from "@/components/shell-context";
import { SAMPLE } from "@/lib/sample";
import { keep, kept } from "@/lib/storage";
import { json, serve, show } from "@/testing/render";
import { chat, me, page } from "@/testing/samples";
import { Shell } from "./shell";

const sample = chat("s", { external_id: SAMPLE, title: "A booking service" });

function Page() {
  const { openList, drawerOpen, setDrawerOpen, startTour } = useShell();
  return (
    <>
      <p>at {useLocation().pathname}</p>
      <button onClick={openList}>Open the list</button>
      <button onClick={() => setDrawerOpen(!drawerOpen)}>
        {drawerOpen ? "Close drawer" : "Open drawer"}
      </button>
      <button data-tour="pill" onClick={startTour}>
        Pill
      </button>
    </>
  );
}

function open(at = "/") {
  serve({
    "GET /api/policy": () => json({ effective: {} }),
    "GET /api/conversations": () => json(page([sample])),
  });
  const element = (
    <Shell me={me()}>
      <Page />
    </Shell>
  );
  show(
    <Routes>
      <Route path="/" element={element} />
      <Route path="/c/:conversationId" element={element} />
    </Routes>,
    at,
  );
}

/** As wide as the tests of the style sheets say. */
function wide(pixels: number) {
  vi.spyOn(window, "matchMedia").mockImplementation((query) => {
    const [, bound = "0"] = /(\d+)px/.exec(query) ?? [];
    const matches = query.includes("max-width") ? pixels <= Number(bound) : pixels >= Number(bound);
    const nothing = () => undefined;
    return {
      matches,
      media: query,
      addEventListener: nothing,
      removeEventListener: nothing,
    } as unknown as MediaQueryList;
  });
}

afterEach(() => vi.restoreAllMocks());

test("Ctrl+K opens the palette and Ctrl+/ the keys", async () => {
  open();
  await userEvent.keyboard("{Control>}k{/Control}");
  expect(await screen.findByRole("combobox")).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
  await userEvent.keyboard("{Control>}/{/Control}");
  expect(await screen.findByRole("dialog", { name: "Keys and help" })).toBeTruthy();
});

test("Ctrl+Shift+O begins a new chat from anywhere", async () => {
  keep("tour-done", true);
  open("/c/s");
  await userEvent.keyboard("{Control>}{Shift>}o{/Shift}{/Control}");
  expect(await screen.findByText("at /")).toBeTruthy();
});

test("whether the drawer is open is kept in this browser", async () => {
  open();
  await userEvent.click(screen.getByRole("button", { name: "Open drawer" }));
  expect(screen.getByRole("button", { name: "Close drawer" })).toBeTruthy();
  expect(kept("drawer-open", false)).toBe(true);
});

test("on a small screen the list is a dialog over the page, and Esc closes it", async () => {
  wide(800);
  open();
  expect(screen.queryByRole("dialog")).toBeNull();
  const opener = screen.getByRole("button", { name: "Open the list" });
  await userEvent.click(opener);
  expect(await screen.findByRole("dialog", { name: "Chats" })).toBeTruthy();
  expect(screen.getByRole("main").hasAttribute("inert")).toBe(true);
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

test("on a small screen the list closes when a chat is chosen", async () => {
  wide(800);
  keep("tour-done", true);
  open();
  await userEvent.click(screen.getByRole("button", { name: "Open the list" }));
  await userEvent.click(await screen.findByRole("link", { name: /A booking service/ }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText("at /c/s")).toBeTruthy();
});

test("between the widths the list is a rail while the drawer stands beside a chat", async () => {
  wide(1100);
  keep("tour-done", true);
  open("/c/s");
  expect(await screen.findByRole("link", { name: /A booking service/ })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Open drawer" }));
  expect(screen.queryByRole("link", { name: /A booking service/ })).toBeNull();
  expect(screen.getByRole("link", { name: "New chat" })).toBeTruthy();
});

test("the first visit of the sample begins the tour, and skipping it is remembered", async () => {
  open("/c/s");
  await userEvent.click(await screen.findByRole("button", { name: "Skip the tour" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Skip the tour" })).toBeNull());
  expect(kept("tour-done", false)).toBe(true);
});

test("the tour can be taken again, from anywhere", async () => {
  keep("tour-done", true);
  open("/");
  await screen.findByRole("link", { name: /A booking service/ });
  await userEvent.click(screen.getByRole("button", { name: "Pill" }));
  expect(await screen.findByText("at /c/s")).toBeTruthy();
  expect(await screen.findByRole("button", { name: "Skip the tour" })).toBeTruthy();
});
