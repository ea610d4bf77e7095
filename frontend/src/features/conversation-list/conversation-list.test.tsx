import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes, useLocation } from "react-router";
import { expect, test, vi } from "vitest";
import type { Conversation } from "@/api/conversations";
import type { Me } from "@/api/session";
import { boxOf, updateUnsent, addUnsent } from "@/lib/outbox";
import { DEMO_EXTERNAL_ID } from "@/lib/demo-conversation";
import { json, mockServer, renderInApp } from "@/testing/render";
import { ACME, AS_VIEWER, chat, me, page } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { ConversationList } from "./conversation-list";

const policy = { "GET /api/policy": () => json({ effective: { light_compaction_threshold: 8000 } }) };

function renderList(...chats: Conversation[]) {
  return { ...policy, "GET /api/conversations": () => json(page(chats)) };
}

function CurrentPath() {
  return <p>at {useLocation().pathname}</p>;
}

function open({
  current,
  user = me(),
  onSearch = vi.fn(),
  onChoose = () => undefined,
}: { current?: string; user?: Me; onSearch?: () => void; onChoose?: () => void } = {}) {
  return renderInApp(
    <InShell me={user}>
      <ConversationList currentId={current} onChoose={onChoose} onSearch={onSearch} />
      <Routes>
        <Route path="*" element={<CurrentPath />} />
      </Routes>
    </InShell>,
  );
}

async function choose(of: string, item: string) {
  await userEvent.click(await screen.findByRole("button", { name: `Actions for ${of}` }));
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
}

test("chats are grouped by day, and the current one is marked", async () => {
  mockServer(renderList(chat("a"), chat("b", { active_at: "2020-01-01T00:00:00Z" })));
  open({ current: "b" });
  expect(await screen.findByRole("heading", { name: "Today" })).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Earlier" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Chat b" }).getAttribute("aria-current")).toBe("page");
  expect(screen.getByRole("link", { name: "Chat a" }).getAttribute("aria-current")).toBeNull();
});

test("a line shows how close a chat is to its compaction", async () => {
  mockServer(renderList(chat("a", { live_tokens: 4000 })));
  open();
  const meter = await screen.findByRole("meter", { name: "Live tokens in Chat a" });
  expect(meter.getAttribute("aria-valuetext")).toBe("4,000 of 8,000 live tokens");
});

test("an empty list explains what will be here", async () => {
  mockServer(renderList());
  open();
  expect(await screen.findByText("Your chats appear here, newest first.")).toBeTruthy();
});

test("the demo conversation has a tag", async () => {
  mockServer(renderList(chat("s", { external_id: DEMO_EXTERNAL_ID, title: "A booking service" })));
  open();
  expect((await screen.findByRole("link", { name: /A booking service/ })).textContent).toContain("sample");
});

test("a list that could not be loaded can be retried", async () => {
  let attempts = 0;
  mockServer({
    ...policy,
    "GET /api/conversations": () => {
      attempts += 1;
      return attempts === 1 ? json({ code: "busy" }, 503) : json(page([chat("a")]));
    },
  });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "Chat a" })).toBeTruthy();
});

test("older chats load on demand", async () => {
  mockServer({
    ...policy,
    "GET /api/conversations": ({ url }) =>
      json(url.includes("cursor=more") ? page([chat("b")]) : page([chat("a")], "more")),
  });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Show older chats" }));
  expect(await screen.findByRole("link", { name: "Chat b" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Show older chats" })).toBeNull();
});

test("a chat that cannot be created yet is in the list", async () => {
  const box = boxOf("u1", "w1", null);
  mockServer(renderList(chat("a")));
  open({ current: "a" });
  await screen.findByRole("link", { name: "Chat a" });
  act(() => updateUnsent(box, addUnsent(box, "The beginning").externalId, { delay: "connection" }));
  await userEvent.click(screen.getByRole("link", { name: /^New chat ?1 queued$/ }));
  expect(screen.getByText("at /")).toBeTruthy();
});

test("Enter saves a new title", async () => {
  const requests = mockServer({
    ...renderList(chat("a", { version: 7 })),
    "PATCH /api/conversations/a": () => json(chat("a", { title: "Billing", version: 8 })),
  });
  open();
  await choose("Chat a", "Rename");
  const field = await screen.findByRole("textbox", { name: "New title" });
  await userEvent.clear(field);
  await userEvent.type(field, "Billing{Enter}");
  const change = await waitFor(() => requests.find(({ method }) => method === "PATCH") as Request);
  expect(change.headers.get("If-Match")).toBe('"7"');
  expect(await change.json()).toEqual({ title: "Billing" });
});

test("Escape discards a new title", async () => {
  const requests = mockServer(renderList(chat("a")));
  open();
  await choose("Chat a", "Rename");
  await userEvent.type(await screen.findByRole("textbox", { name: "New title" }), "Billing{Escape}");
  expect(screen.getByRole("link", { name: "Chat a" })).toBeTruthy();
  expect(requests.some(({ method }) => method === "PATCH")).toBe(false);
});

test("a title that was changed elsewhere is not overwritten, and the typed one stays", async () => {
  const changes: unknown[] = [];
  mockServer({
    ...renderList(chat("a")),
    "GET /api/conversations/a": () => json(chat("a", { title: "Theirs", version: 5 })),
    "PATCH /api/conversations/a": (request) => {
      changes.push(request.headers.get("If-Match"));
      return changes.length === 1 ? json({ code: "stale" }, 412) : json(chat("a", { version: 6 }));
    },
  });
  open();
  await choose("Chat a", "Rename");
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "New title" });
  await userEvent.type(field, " two{Enter}");
  expect(await screen.findByText(/This was changed elsewhere/)).toBeTruthy();
  expect(field.value).toContain(" two");
  await userEvent.type(field, "{Enter}");
  await waitFor(() => expect(changes).toEqual(['"1"', '"5"']));
  await waitFor(() => expect(screen.queryByRole("textbox", { name: "New title" })).toBeNull());
});

test("after renaming, the renamed chat has the focus", async () => {
  mockServer({
    ...renderList(chat("a")),
    "PATCH /api/conversations/a": () => json(chat("a", { title: "Billing", version: 2 })),
  });
  open();
  await choose("Chat a", "Rename");
  await userEvent.type(await screen.findByRole("textbox", { name: "New title" }), "Billing{Enter}");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("link", { name: "Chat a" })));
});

test("archiving can be undone, and leaves the open chat", async () => {
  const changes: unknown[] = [];
  mockServer({
    ...renderList(chat("a", { version: 3 })),
    "PATCH /api/conversations/a": async (request) => {
      changes.push([request.headers.get("If-Match"), await request.json()]);
      return json(chat("a", { version: 3 + changes.length }));
    },
  });
  open({ current: "a" });
  await choose("Chat a", "Archive");
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(changes).toHaveLength(2));
  expect(changes).toEqual([
    ['"3"', { archived: true }],
    ['"4"', { archived: false }],
  ]);
  expect(screen.getByText("at /")).toBeTruthy();
});

test("only its owner can archive a chat", async () => {
  mockServer(renderList(chat("a", { owner_id: "bob", access: "write" })));
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Chat a" }));
  expect(await screen.findByRole("menuitem", { name: "Rename" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "Archive" })).toBeNull();
});

test("a chat shared for reading can be forked, not renamed", async () => {
  mockServer(renderList(chat("a", { owner_id: "bob", access: "read" })));
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Chat a" }));
  expect(await screen.findByRole("menuitem", { name: "Fork" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "Rename" })).toBeNull();
});

test("a row shows that a message could not be sent", async () => {
  const box = (id: string) => boxOf("u1", "w1", id);
  mockServer(renderList(chat("a"), chat("b"), chat("c")));
  open();
  await screen.findByRole("link", { name: "Chat a" });
  act(() => {
    updateUnsent(box("a"), addUnsent(box("a"), "Hello").externalId, { delay: "connection" });
    updateUnsent(box("b"), addUnsent(box("b"), "Too long").externalId, { refused: "It is too long." });
    addUnsent(box("c"), "On its way");
  });
  expect(screen.getByRole("link", { name: /^Chat a ?1 queued$/ })).toBeTruthy();
  expect(screen.getByRole("link", { name: /^Chat b ?1 not sent$/ })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Chat c" })).toBeTruthy();
});

test("a viewer has no menu", async () => {
  mockServer(renderList(chat("a")));
  open({ user: me(AS_VIEWER) });
  await screen.findByRole("link", { name: "Chat a" });
  expect(screen.queryByRole("button", { name: "Actions for Chat a" })).toBeNull();
});

test("a fork copies every message and is opened", async () => {
  const requests = mockServer({
    ...renderList(chat("a", { message_count: 12 })),
    "POST /api/conversations/a/fork": () => json(chat("copy"), 201),
  });
  open();
  await choose("Chat a", "Fork");
  expect(await screen.findByText("at /c/copy")).toBeTruthy();
  const fork = requests.find(({ method }) => method === "POST") as Request;
  expect(await fork.json()).toEqual({ through_index: 11, title: "Chat a (2)" });
  await userEvent.click(screen.getByRole("button", { name: "Go back" }));
  expect(screen.getByText("at /c/a")).toBeTruthy();
});

test("the archive is one click away", async () => {
  mockServer({
    ...policy,
    "GET /api/conversations": ({ url }) =>
      json(page(url.includes("archived=true") ? [chat("old", { archived_at: "2026-01-01T00:00:00Z" })] : [])),
  });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Archived" }));
  expect(await screen.findByRole("link", { name: "Chat old" })).toBeTruthy();
});

test("a user with several workspaces can switch between them", async () => {
  const other = { ...ACME, id: "w2", name: "Borealis" };
  const requests = mockServer({ ...renderList(), "PATCH /api/me": () => json(me({ workspace: other })) });
  open({ user: me({ memberships: [ACME, other] }) });
  await userEvent.click(screen.getByRole("button", { name: /Switch workspace/ }));
  await userEvent.click(await screen.findByRole("menuitemradio", { name: "Borealis" }));
  const change = await waitFor(() => requests.find(({ method }) => method === "PATCH") as Request);
  expect(await change.json()).toEqual({ workspace_id: "w2" });
});

test("the settings open from the account menu, and the list overlay closes", async () => {
  mockServer(renderList());
  const onChoose = vi.fn();
  open({ onChoose });
  await userEvent.click(screen.getByRole("button", { name: /^Account: ?Alice/ }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Settings" }));
  expect(screen.getByText("at /settings/models")).toBeTruthy();
  expect(onChoose).toHaveBeenCalledOnce();
});

test("signing out leads to the sign-in page", async () => {
  mockServer({ ...renderList(), "POST /api/sign-out": () => new Response(null, { status: 204 }) });
  open();
  await userEvent.click(screen.getByRole("button", { name: /^Account: ?Alice/ }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Sign out" }));
  expect(await screen.findByText("at /sign-in")).toBeTruthy();
});

test("only operators see the admin link", async () => {
  mockServer(renderList());
  const { unmount } = open();
  await userEvent.click(screen.getByRole("button", { name: /^Account: ?Alice/ }));
  expect(within(await screen.findByRole("menu")).queryByText("Admin console")).toBeNull();
  unmount();
  open({ user: me({ user: { ...me().user, is_operator: true } }) });
  await userEvent.click(screen.getByRole("button", { name: /^Account: ?Alice/ }));
  expect(within(await screen.findByRole("menu")).getByText("Admin console")).toBeTruthy();
});

test("the search opens from the list", async () => {
  mockServer(renderList());
  const onSearch = vi.fn();
  open({ onSearch });
  await userEvent.click(screen.getByRole("button", { name: /^Search/ }));
  expect(onSearch).toHaveBeenCalledOnce();
});

test("a chat is deleted only after a confirmation", async () => {
  const deleted: string[] = [];
  mockServer({
    ...renderList(chat("a"), chat("b")),
    "DELETE /api/conversations/a": () => {
      deleted.push("a");
      return new Response(null, { status: 204 });
    },
  });
  open({ current: "a" });
  await choose("Chat a", "Delete…");
  await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
  expect(deleted).toEqual([]);
  await choose("Chat a", "Delete…");
  expect(screen.getByText(/can't be undone/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Delete permanently" }));
  await waitFor(() => expect(deleted).toEqual(["a"]));
  expect(await screen.findByText("at /")).toBeTruthy();
});

test("only the owner of a chat can delete it", async () => {
  mockServer(renderList(chat("a", { access: "write" })));
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Chat a" }));
  expect(await screen.findByRole("menuitem", { name: "Rename" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "Delete…" })).toBeNull();
});

test("a fork has a mark, and its number is never cut off", async () => {
  mockServer(renderList(chat("a", { title: "A long title (2)", copied_from: "b" })));
  open();
  const fork = await screen.findByRole("link", { name: /^Fork: ?A long title \(2\)$/ });
  expect(within(fork).getByText("(2)")).toBeTruthy();
});
