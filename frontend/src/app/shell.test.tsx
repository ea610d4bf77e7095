import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useShell } from "@/components/hooks/shell-context";
import { boxOf, put } from "@/lib/outbox";
import { SAMPLE } from "@/lib/demo-conversation";
import { keep, kept } from "@/lib/local-storage";
import { fakeSockets, FakeSocket, InLive } from "@/testing/live";
import { json, serve, show } from "@/testing/render";
import { chat, me, page } from "@/testing/samples";
import { KeysHelp, Palette, SummaryDrawer } from "./lazy-panels";
import { Shell } from "./shell";

const DONE = "tour-done:u1";
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
      <Breaking />
    </>
  );
}

function Breaking(): ReactNode {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) throw new Error("as in a message that cannot be drawn");
  return <button onClick={() => setBroken(true)}>Break</button>;
}

const policy = { "GET /api/policy": () => json({ effective: {} }) };
const first = { ...policy, "GET /api/conversations": () => json(page([sample])) };

function open(at = "/", answers: Parameters<typeof serve>[0] = first) {
  const asked = serve(answers);
  const element = (
    <InLive>
      <Shell me={me()}>
        <Page />
      </Shell>
    </InLive>
  );
  show(
    <Routes>
      <Route path="/" element={element} />
      <Route path="/c/:conversationId" element={element} />
    </Routes>,
    at,
  );
  return asked;
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

beforeEach(fakeSockets);
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
  keep(DONE, true);
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

test("on a small screen Esc closes a menu of the list first, then the list", async () => {
  wide(800);
  keep(DONE, true);
  open();
  await userEvent.click(screen.getByRole("button", { name: "Open the list" }));
  const opener = await screen.findByRole("button", { name: "More about A booking service" });
  await userEvent.click(opener);
  await screen.findByRole("menuitem", { name: "Rename" });
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menuitem")).toBeNull());
  expect(screen.getByRole("dialog", { name: "Chats" })).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(opener));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("on a small screen the list closes when a chat is chosen", async () => {
  wide(800);
  keep(DONE, true);
  open();
  await userEvent.click(screen.getByRole("button", { name: "Open the list" }));
  await userEvent.click(await screen.findByRole("link", { name: /A booking service/ }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText("at /c/s")).toBeTruthy();
});

test("between the widths the list is a rail while the drawer stands beside a chat", async () => {
  wide(1100);
  keep(DONE, true);
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
  expect(kept(DONE, false)).toBe(true);
});

test("the tour can be taken again, from anywhere", async () => {
  keep(DONE, true);
  open("/");
  await screen.findByRole("link", { name: /A booking service/ });
  await userEvent.click(screen.getByRole("button", { name: "Pill" }));
  expect(await screen.findByText("at /c/s")).toBeTruthy();
  expect(await screen.findByRole("button", { name: "Skip the tour" })).toBeTruthy();
});

test("what somebody else at this browser was shown is shown again", async () => {
  keep("tour-done:u2", true);
  open("/c/s");
  expect(await screen.findByRole("button", { name: "Skip the tour" })).toBeTruthy();
});

test("the tour is offered though the sample stands far down in the list", async () => {
  keep(DONE, true);
  const asked = open("/", {
    ...policy,
    "GET /api/conversations": ({ url }) =>
      json(url.includes("limit=200") ? page([sample]) : page([chat("a")], "more")),
  });
  await screen.findByRole("link", { name: "Chat a" });
  await waitFor(() => expect(asked.some(({ url }) => url.includes("limit=200"))).toBe(true));
  await userEvent.click(screen.getByRole("button", { name: "Pill" }));
  expect(await screen.findByText("at /c/s")).toBeTruthy();
});

test("a page that breaks leaves the list, and another address is another page", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  keep(DONE, true);
  open("/c/s");
  await screen.findByRole("link", { name: /A booking service/ });
  await userEvent.click(screen.getByRole("button", { name: "Break" }));
  expect(await screen.findByRole("heading", { name: "This page stopped working" })).toBeTruthy();
  await userEvent.click(screen.getByRole("link", { name: "New chat" }));
  expect(await screen.findByText("at /")).toBeTruthy();
});

test("whoever is signed in and refused again and again is told that it is not the network", async () => {
  open();
  act(() => FakeSocket.newest?.onclose?.({ code: 4403 }));
  const before = FakeSocket.newest;
  await waitFor(() => expect(FakeSocket.newest).not.toBe(before));
  expect(screen.queryByText(/refuses live updates/)).toBeNull();
  act(() => FakeSocket.newest?.onclose?.({ code: 4403 }));
  expect(await screen.findByText(/refuses live updates/)).toBeTruthy();
});

test("what waits in another chat is sent, whichever page is open", async () => {
  const waits = boxOf("u1", "w1", "elsewhere");
  put(waits, "Written without a connection");
  const asked = open("/", {
    ...first,
    "POST /api/conversations/elsewhere/turns": () => json({ code: "busy" }, 503),
  });
  await waitFor(() => expect(asked.some(({ url }) => url.endsWith("/elsewhere/turns"))).toBe(true));
});

test("panels are fetched ahead, where there is a connection", () => {
  const ahead = vi.spyOn(Palette, "fetchAhead").mockReturnValue();
  vi.spyOn(KeysHelp, "fetchAhead").mockReturnValue();
  vi.spyOn(SummaryDrawer, "fetchAhead").mockReturnValue();
  vi.useFakeTimers();
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  open();
  vi.advanceTimersByTime(60_000);
  expect(ahead).not.toHaveBeenCalled();
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  expect(ahead).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
