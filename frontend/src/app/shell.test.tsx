import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useShell } from "@/components/hooks/shell-context";
import { boxOf, addUnsent } from "@/lib/outbox";
import { DEMO_EXTERNAL_ID } from "@/lib/demo-conversation";
import { readStored } from "@/lib/local-storage";
import { fakeSockets, FakeSocket, InLive } from "@/testing/live";
import { json, mockServer, renderInApp } from "@/testing/render";
import { chat, me, page } from "@/testing/samples";
import { KeysHelp, Palette, SummaryDrawer } from "./lazy-panels";
import { Shell } from "./shell";

const sample = chat("s", { external_id: DEMO_EXTERNAL_ID, title: "A booking service" });

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
      <span data-tour="line" />
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
const defaultAnswers = { ...policy, "GET /api/conversations": () => json(page([sample])) };

function open(at = "/", answers: Parameters<typeof mockServer>[0] = defaultAnswers, tourDone = false) {
  const requests = mockServer(answers);
  const element = (
    <InLive>
      <Shell me={me({ user: { ...me().user, tour_done: tourDone } })}>
        <Page />
      </Shell>
    </InLive>
  );
  renderInApp(
    <Routes>
      <Route path="/" element={element} />
      <Route path="/c/:conversationId" element={element} />
    </Routes>,
    at,
  );
  return requests;
}

/** Mock the media queries for a window of this width. */
function setWindowWidth(pixels: number) {
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

test("Ctrl+K opens the palette and Ctrl+/ the keyboard shortcuts", async () => {
  open();
  await userEvent.keyboard("{Control>}k{/Control}");
  expect(await screen.findByRole("combobox")).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("combobox")).toBeNull());
  await userEvent.keyboard("{Control>}/{/Control}");
  expect(await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).toBeTruthy();
});

test("Ctrl+Shift+O starts a new chat from anywhere", async () => {
  open("/c/s");
  await userEvent.keyboard("{Control>}{Shift>}o{/Shift}{/Control}");
  expect(await screen.findByText("at /")).toBeTruthy();
});

test("the browser remembers whether the drawer is open", async () => {
  open();
  await userEvent.click(screen.getByRole("button", { name: "Open drawer" }));
  expect(screen.getByRole("button", { name: "Close drawer" })).toBeTruthy();
  expect(readStored("drawer-open", false)).toBe(true);
});

test("on a small screen the list is a dialog over the page, and Esc closes it", async () => {
  setWindowWidth(800);
  open();
  expect(screen.queryByRole("dialog")).toBeNull();
  const opener = screen.getByRole("button", { name: "Open the list" });
  await userEvent.click(opener);
  expect(await screen.findByRole("dialog", { name: "Chats" })).toBeTruthy();
  expect(screen.getByRole("main").hasAttribute("inert")).toBe(true);
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Chats" })).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

test("on a small screen Esc closes a menu of the list first, then the list", async () => {
  setWindowWidth(800);
  open();
  await userEvent.click(screen.getByRole("button", { name: "Open the list" }));
  const opener = await screen.findByRole("button", { name: "Actions for A booking service" });
  await userEvent.click(opener);
  await screen.findByRole("menuitem", { name: "Rename" });
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menuitem")).toBeNull());
  expect(screen.getByRole("dialog", { name: "Chats" })).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(opener));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Chats" })).toBeNull());
});

test("on a small screen the list closes when a chat is chosen", async () => {
  setWindowWidth(800);
  open();
  await userEvent.click(screen.getByRole("button", { name: "Open the list" }));
  await userEvent.click(await screen.findByRole("link", { name: /A booking service/ }));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Chats" })).toBeNull());
  expect(screen.getByText("at /c/s")).toBeTruthy();
});

test("at medium widths the list becomes a rail while the drawer is open next to a chat", async () => {
  setWindowWidth(1100);
  open("/c/s", defaultAnswers, true);
  expect(await screen.findByRole("link", { name: /A booking service/ })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Open drawer" }));
  expect(screen.queryByRole("link", { name: /A booking service/ })).toBeNull();
  expect(screen.getByRole("link", { name: "New chat" })).toBeTruthy();
});

test("the first visit of the demo conversation starts the tour, and skipping it is stored", async () => {
  const requests = open("/c/s", { ...defaultAnswers, "PATCH /api/me": () => json(me()) });
  await userEvent.click(await screen.findByRole("button", { name: "Skip the tour" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Skip the tour" })).toBeNull());
  await waitFor(() => expect(requests.some(({ method }) => method === "PATCH")).toBe(true));
  const stored = requests.find(({ method }) => method === "PATCH");
  expect(await stored?.json()).toEqual({ tour_done: true });
});

test("on a desk the first visit of the demo conversation opens the drawer, and closing it ends the tour", async () => {
  setWindowWidth(1440);
  const requests = open("/c/s", { ...defaultAnswers, "PATCH /api/me": () => json(me()) });
  await userEvent.click(await screen.findByRole("button", { name: "Close drawer" }));
  expect(screen.getByRole("button", { name: "Open drawer" })).toBeTruthy();
  await waitFor(() => expect(requests.some(({ method }) => method === "PATCH")).toBe(true));
  expect(screen.queryByRole("button", { name: "Skip the tour" })).toBeNull();
});

test("on a phone the first visit of the demo conversation leaves the drawer closed", async () => {
  setWindowWidth(390);
  open("/c/s");
  await screen.findByRole("button", { name: "Skip the tour" });
  expect(screen.getByRole("button", { name: "Open drawer", hidden: true })).toBeTruthy();
});

test.each([
  ["who has seen the tour", "/c/s", true],
  ["in another chat", "/c/other", false],
])("the drawer does not open for somebody %s", async (_, at, tourDone) => {
  setWindowWidth(1440);
  open(at, defaultAnswers, tourDone);
  await screen.findByRole("link", { name: /A booking service/ });
  expect(screen.getByRole("button", { name: "Open drawer" })).toBeTruthy();
});

test("the tour can be restarted from anywhere", async () => {
  open("/", defaultAnswers, true);
  await screen.findByRole("link", { name: /A booking service/ });
  await userEvent.click(screen.getByRole("button", { name: "Pill" }));
  expect(await screen.findByText("at /c/s")).toBeTruthy();
  expect(await screen.findByRole("button", { name: "Skip the tour" })).toBeTruthy();
});

test("an account that has seen the tour does not see it again", async () => {
  open("/c/s", defaultAnswers, true);
  await screen.findByRole("link", { name: /A booking service/ });
  expect(screen.queryByRole("button", { name: "Skip the tour" })).toBeNull();
});

test("the tour is offered even if the demo conversation is far down in the list", async () => {
  const requests = open("/", {
    ...policy,
    "GET /api/conversations": ({ url }) =>
      json(url.includes("limit=200") ? page([sample]) : page([chat("a")], "more")),
  });
  await screen.findByRole("link", { name: "Chat a" });
  await waitFor(() => expect(requests.some(({ url }) => url.includes("limit=200"))).toBe(true));
  await userEvent.click(screen.getByRole("button", { name: "Pill" }));
  expect(await screen.findByText("at /c/s")).toBeTruthy();
});

test("a page that throws leaves the list usable, and navigation recovers", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  open("/c/s");
  await screen.findByRole("link", { name: /A booking service/ });
  await userEvent.click(screen.getByRole("button", { name: "Break" }));
  expect(await screen.findByRole("heading", { name: "This page stopped working" })).toBeTruthy();
  await userEvent.click(screen.getByRole("link", { name: "New chat" }));
  expect(await screen.findByText("at /")).toBeTruthy();
});

test("a signed-in user whose socket is refused repeatedly is told that it is not the network", async () => {
  open();
  act(() => FakeSocket.newest?.onclose?.({ code: 4403 }));
  const before = FakeSocket.newest;
  await waitFor(() => expect(FakeSocket.newest).not.toBe(before));
  expect(screen.queryByText(/Live updates are unavailable/)).toBeNull();
  act(() => FakeSocket.newest?.onclose?.({ code: 4403 }));
  expect(await screen.findByText(/Live updates are unavailable/)).toBeTruthy();
});

test("unsent messages of another chat are sent whichever page is open", async () => {
  const box = boxOf("u1", "w1", "elsewhere");
  addUnsent(box, "Written without a connection");
  const requests = open("/", {
    ...defaultAnswers,
    "POST /api/conversations/elsewhere/turns": () => json({ code: "busy" }, 503),
  });
  await waitFor(() => expect(requests.some(({ url }) => url.endsWith("/elsewhere/turns"))).toBe(true));
});

test("panels are prefetched once there is a connection", () => {
  const prefetched = vi.spyOn(Palette, "prefetch").mockReturnValue();
  vi.spyOn(KeysHelp, "prefetch").mockReturnValue();
  vi.spyOn(SummaryDrawer, "prefetch").mockReturnValue();
  vi.useFakeTimers();
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  open();
  vi.advanceTimersByTime(60_000);
  expect(prefetched).not.toHaveBeenCalled();
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  expect(prefetched).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
