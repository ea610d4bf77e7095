import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { Route, Routes, useLocation } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import type { ShellActions } from "@/components/hooks/shell-context";
import { json, mockServer, renderInApp } from "@/testing/render";
import { AS_VIEWER, chat, me, page } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { matchingItems, type Item } from "./items";
import Palette from "./palette";

const onClose = vi.fn();
const NOTHING = {
  conversations: [],
  messages: [],
  memories: [],
  user_memory: [],
  pins: [],
  summary_lines: [],
};
const matchAnswer = {
  ...NOTHING,
  conversations: [
    { id: "c1", title: "Billing on PostgreSQL", updated_at: "2026-03-01T00:00:00Z", archived_at: null },
  ],
  messages: [
    {
      conversation_id: "c2",
      title: "Invoices",
      message_id: "m1",
      index: 34,
      role: "user",
      snippet: "👋 the billing runs at night",
      match: [6, 7],
      created_at: "2026-03-01T00:00:00Z",
    },
  ],
};
const lists = { "GET /api/conversations": () => json(page([chat("a")])) };

beforeEach(() => onClose.mockClear());

function CurrentPath(): ReactNode {
  const { pathname, search } = useLocation();
  return <p>at {pathname + search}</p>;
}

function open(renderCommands: Partial<ShellActions> = {}, at = "/") {
  const element = (
    <InShell {...renderCommands}>
      <Palette open onClose={onClose} />
      <CurrentPath />
    </InShell>
  );
  renderInApp(
    <Routes>
      <Route path="/" element={element} />
      <Route path="/c/:conversationId" element={element} />
      <Route path="*" element={<CurrentPath />} />
    </Routes>,
    at,
  );
}

function field() {
  return screen.getByRole("combobox");
}

function active(): string | undefined {
  return screen.getAllByRole("option").find((one) => one.getAttribute("aria-selected") === "true")
    ?.textContent;
}

test("results highlight the query", async () => {
  mockServer({ ...lists, "GET /api/search": () => json(matchAnswer) });
  open();
  await userEvent.type(field(), "billing");
  const marks = await waitFor(() => {
    const those = [...document.querySelectorAll("mark")].map((mark) => mark.textContent);
    expect(those).toHaveLength(2);
    return those;
  });
  expect(marks).toEqual(["Billing", "billing"]);
});

test("a message result opens at the message", async () => {
  mockServer({ ...lists, "GET /api/search": () => json(matchAnswer) });
  open();
  await userEvent.type(field(), "billing");
  await userEvent.click(await screen.findByRole("option", { name: /runs at night/ }));
  expect(onClose).toHaveBeenCalled();
  expect(screen.getByText("at /c/c2?m=34")).toBeTruthy();
});

const snippet = { text: "the billing pool holds 20", match: [4, 7] };
const everywhere = {
  ...NOTHING,
  memories: [{ id: "n1", uri: "mem://user/events/billing", category: "events", snippet }],
  user_memory: [{ id: "u1", type: "fact", key: "billing", is_active: true, snippet }],
  pins: [{ id: "p1", conversation_id: "c3", title: "Payments", snippet }],
  summary_lines: [{ conversation_id: "c4", title: "Pools", field: "decisions", snippet }],
};

test.each([
  [/mem:\/\/user\/events\/billing/, "at /memory/n/n1"],
  [/^the billing pool holds 20billing$/, "at /memory/always/u1"],
  [/Payments/, "at /c/c3"],
  [/Decisions · Pools/, "at /c/c4"],
])("a result of every kind opens where it is: %s", async (name, place) => {
  mockServer({ ...lists, "GET /api/search": () => json(everywhere) });
  open();
  await userEvent.type(field(), "billing");
  await userEvent.click(await screen.findByRole("option", { name }));
  expect(await screen.findByText(place)).toBeTruthy();
});

test("a pin and a line of a summary open the drawer of their chat", async () => {
  const setDrawerOpen = vi.fn();
  mockServer({ ...lists, "GET /api/search": () => json(everywhere) });
  open({ setDrawerOpen });
  await userEvent.type(field(), "billing");
  await userEvent.click(await screen.findByRole("option", { name: /Payments/ }));
  expect(setDrawerOpen).toHaveBeenCalledWith(true);
});

test("typing is debounced", async () => {
  const requests = mockServer({ ...lists, "GET /api/search": () => json(matchAnswer) });
  open();
  await userEvent.type(field(), "billing");
  await screen.findByRole("option", { name: /runs at night/ });
  expect(
    requests.filter(({ url }) => url.includes("/api/search")).map(({ url }) => new URL(url).search),
  ).toEqual(["?q=billing&limit=5"]);
});

test("arrow keys move through the results, and Enter runs one", async () => {
  mockServer({ ...lists, "GET /api/search": () => json(matchAnswer) });
  open();
  await userEvent.type(field(), "billing");
  await screen.findByRole("option", { name: /runs at night/ });
  expect(active()).toContain("Billing on PostgreSQL");
  await userEvent.keyboard("{ArrowUp}");
  expect(active()).toContain("runs at night");
  await userEvent.keyboard("{ArrowDown}");
  expect(field().getAttribute("aria-activedescendant")).toBe("palette-chat-c1");
  await userEvent.keyboard("{Enter}");
  expect(screen.getByText("at /c/c1")).toBeTruthy();
});

test("without a query there are recent chats and commands", async () => {
  mockServer(lists);
  open();
  expect(await screen.findByRole("option", { name: /Chat a/ })).toBeTruthy();
  expect(screen.getByRole("option", { name: /New chat/ })).toBeTruthy();
  expect(screen.queryByRole("option", { name: /Compact/ })).toBeNull();
});

test("commands match by prefixes of their words", async () => {
  const openHelp = vi.fn();
  mockServer({ ...lists, "GET /api/search": () => json(NOTHING) });
  open({ openHelp });
  await userEvent.type(field(), "keyb{Enter}");
  expect(openHelp).toHaveBeenCalledOnce();
});

test.each(["models", "limits", "usage"])("the %s settings are a command", async (part) => {
  mockServer(lists);
  open();
  await userEvent.type(field(), `settings ${part}`);
  await userEvent.click(await screen.findByRole("option", { name: new RegExp(part) }));
  expect(screen.getByText(`at /settings/${part}`)).toBeTruthy();
});

test("a chat can be compacted, and a rejection is shown", async () => {
  mockServer({
    ...lists,
    "GET /api/search": () => json(NOTHING),
    "POST /api/conversations/a/compactions": () => json({ detail: "The engine is off." }, 409),
  });
  open({}, "/c/a");
  await userEvent.type(field(), "compact{Enter}");
  expect(await screen.findByText("The engine is off.")).toBeTruthy();
});

test("the drawer can be opened and closed, if there is one", async () => {
  const setDrawerOpen = vi.fn();
  mockServer(lists);
  open({ drawerOpen: true, setDrawerOpen }, "/c/a");
  await userEvent.click(await screen.findByRole("option", { name: /Close the Summary Drawer/ }));
  expect(setDrawerOpen).toHaveBeenCalledWith(false);
});

test("a viewer cannot compact", async () => {
  mockServer(lists);
  open({ me: me(AS_VIEWER) }, "/c/a");
  await screen.findByRole("option", { name: /New chat/ });
  expect(screen.queryByRole("option", { name: /Compact/ })).toBeNull();
});

test("a search without results shows the query", async () => {
  mockServer({ ...lists, "GET /api/search": () => json(NOTHING) });
  open();
  await userEvent.type(field(), "qqqq");
  expect(await screen.findByText("Nothing for “qqqq”")).toBeTruthy();
});

test("a single letter is not searched, and no result is claimed", async () => {
  const requests = mockServer(lists);
  open();
  await userEvent.type(field(), "q");
  expect(await screen.findByText("Type at least two letters to search.")).toBeTruthy();
  expect(screen.queryByText(/^Searched/)).toBeNull();
  expect(requests.some(({ url }) => url.includes("/api/search"))).toBe(false);
});

test("results disappear when the query becomes too short", async () => {
  mockServer({ ...lists, "GET /api/search": () => json(matchAnswer) });
  open();
  await userEvent.type(field(), "billing");
  await screen.findByRole("option", { name: /runs at night/ });
  await userEvent.type(field(), "{Backspace>6/}");
  await waitFor(() => expect(screen.queryByRole("option", { name: /runs at night/ })).toBeNull());
});

test("a slow search says so, and the commands stay", async () => {
  mockServer({ ...lists, "GET /api/search": () => json({ code: "search_too_slow" }, 503) });
  open();
  await userEvent.type(field(), "new");
  expect((await screen.findByRole("alert")).textContent).toContain("This search took too long.");
  expect(screen.getByRole("option", { name: /New chat/ })).toBeTruthy();
});

test("every typed word must be a prefix of a word of the command", () => {
  const items = [
    { id: "1", words: "Theme: dark" },
    { id: "2", words: "New chat" },
  ] as Item[];
  expect(matchingItems(items, "dark the").map(({ id }) => id)).toEqual(["1"]);
  expect(matchingItems(items, "ark")).toEqual([]);
  expect(matchingItems(items, "")).toHaveLength(2);
});
