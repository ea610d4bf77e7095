import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes, useLocation } from "react-router";
import { expect, test, vi } from "vitest";
import type { Conversation } from "@/api/conversations";
import type { Me } from "@/api/session";
import { SAMPLE } from "@/lib/sample";
import { json, serve, show } from "@/testing/render";
import { ACME, chat, me, page } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { ConversationList } from "./conversation-list";

const policy = { "GET /api/policy": () => json({ effective: { light_compaction_threshold: 8000 } }) };

function listing(...chats: Conversation[]) {
  return { ...policy, "GET /api/conversations": () => json(page(chats)) };
}

function Where() {
  return <p>at {useLocation().pathname}</p>;
}

function open({
  current,
  who = me(),
  onSearch = vi.fn(),
}: { current?: string; who?: Me; onSearch?: () => void } = {}) {
  return show(
    <InShell me={who}>
      <ConversationList currentId={current} onChoose={() => undefined} onSearch={onSearch} />
      <Routes>
        <Route path="*" element={<Where />} />
      </Routes>
    </InShell>,
  );
}

async function choose(of: string, deed: string) {
  await userEvent.click(await screen.findByRole("button", { name: `More about ${of}` }));
  await userEvent.click(await screen.findByRole("menuitem", { name: deed }));
}

test("the chats stand under their days, and the present one is marked", async () => {
  serve(listing(chat("a"), chat("b", { created_at: "2020-01-01T00:00:00Z" })));
  open({ current: "b" });
  expect(await screen.findByRole("heading", { name: "Today" })).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Earlier" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Chat b" }).getAttribute("aria-current")).toBe("page");
  expect(screen.getByRole("link", { name: "Chat a" }).getAttribute("aria-current")).toBeNull();
});

test("a line tells how near a chat is to its compaction", async () => {
  serve(listing(chat("a", { live_tokens: 4000 })));
  open();
  const meter = await screen.findByRole("meter", { name: "Live tokens of Chat a" });
  expect(meter.getAttribute("aria-valuetext")).toBe("4,000 of 8,000 live tokens");
});

test("an empty list says what will be here", async () => {
  serve(listing());
  open();
  expect(await screen.findByText("Your chats will be listed here, newest first.")).toBeTruthy();
});

test("the sample is tagged", async () => {
  serve(listing(chat("s", { external_id: SAMPLE, title: "A booking service" })));
  open();
  expect((await screen.findByRole("link", { name: /A booking service/ })).textContent).toContain("sample");
});

test("a list that could not be loaded can be asked for again", async () => {
  let tries = 0;
  serve({
    ...policy,
    "GET /api/conversations": () => {
      tries += 1;
      return tries === 1 ? json({ code: "busy" }, 503) : json(page([chat("a")]));
    },
  });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "Chat a" })).toBeTruthy();
});

test("older chats come when they are asked for", async () => {
  serve({
    ...policy,
    "GET /api/conversations": ({ url }) =>
      json(url.includes("cursor=more") ? page([chat("b")]) : page([chat("a")], "more")),
  });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Show older chats" }));
  expect(await screen.findByRole("link", { name: "Chat b" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Show older chats" })).toBeNull();
});

test("a new title is kept with Enter", async () => {
  const asked = serve({
    ...listing(chat("a", { version: 7 })),
    "PATCH /api/conversations/a": () => json(chat("a", { title: "Billing", version: 8 })),
  });
  open();
  await choose("Chat a", "Rename");
  const field = await screen.findByRole("textbox", { name: "New title" });
  await userEvent.clear(field);
  await userEvent.type(field, "Billing{Enter}");
  const change = await waitFor(() => asked.find(({ method }) => method === "PATCH") as Request);
  expect(change.headers.get("If-Match")).toBe('"7"');
  expect(await change.json()).toEqual({ title: "Billing" });
});

test("a new title is given up with Escape", async () => {
  const asked = serve(listing(chat("a")));
  open();
  await choose("Chat a", "Rename");
  await userEvent.type(await screen.findByRole("textbox", { name: "New title" }), "Billing{Escape}");
  expect(screen.getByRole("link", { name: "Chat a" })).toBeTruthy();
  expect(asked.some(({ method }) => method === "PATCH")).toBe(false);
});

test("a title that was changed elsewhere meanwhile is not overwritten", async () => {
  serve({ ...listing(chat("a")), "PATCH /api/conversations/a": () => json({ code: "stale" }, 412) });
  open();
  await choose("Chat a", "Rename");
  await userEvent.type(await screen.findByRole("textbox", { name: "New title" }), " two{Enter}");
  expect(await screen.findByText(/It was changed meanwhile/)).toBeTruthy();
});

test("archiving can be undone, and leaves the chat that one was in", async () => {
  const changes: unknown[] = [];
  serve({
    ...listing(chat("a", { version: 3 })),
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

test("only its owner archives a chat", async () => {
  serve(listing(chat("a", { owner_id: "bob" })));
  open();
  await userEvent.click(await screen.findByRole("button", { name: "More about Chat a" }));
  expect(await screen.findByRole("menuitem", { name: "Rename" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "Archive" })).toBeNull();
});

test("whoever may only read has no menu", async () => {
  serve(listing(chat("a")));
  open({ who: me({ role: "viewer", scopes: ["read"] }) });
  await screen.findByRole("link", { name: "Chat a" });
  expect(screen.queryByRole("button", { name: "More about Chat a" })).toBeNull();
});

test("a fork copies every message and is opened", async () => {
  const asked = serve({
    ...listing(chat("a", { message_count: 12 })),
    "POST /api/conversations/a/fork": () => json(chat("copy"), 201),
  });
  open();
  await choose("Chat a", "Fork");
  expect(await screen.findByText("at /c/copy")).toBeTruthy();
  const fork = asked.find(({ method }) => method === "POST") as Request;
  expect(await fork.json()).toEqual({ through_index: 11 });
});

test("the archive is one click away", async () => {
  serve({
    ...policy,
    "GET /api/conversations": ({ url }) =>
      json(page(url.includes("archived=true") ? [chat("old", { archived_at: "2026-01-01T00:00:00Z" })] : [])),
  });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Archived" }));
  expect(await screen.findByRole("link", { name: "Chat old" })).toBeTruthy();
});

test("whoever belongs to several workspaces can go over to another", async () => {
  const other = { ...ACME, id: "w2", name: "Borealis" };
  const asked = serve({ ...listing(), "PATCH /api/me": () => json(me({ workspace: other })) });
  open({ who: me({ memberships: [ACME, other] }) });
  await userEvent.click(screen.getByRole("button", { name: /Switch workspace/ }));
  await userEvent.click(await screen.findByRole("menuitemradio", { name: "Borealis" }));
  const change = await waitFor(() => asked.find(({ method }) => method === "PATCH") as Request);
  expect(await change.json()).toEqual({ workspace_id: "w2" });
});

test("signing out leads to the sign-in", async () => {
  serve({ ...listing(), "POST /api/sign-out": () => new Response(null, { status: 204 }) });
  open();
  await userEvent.click(screen.getByRole("button", { name: /^Account of ?Alice/ }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Sign out" }));
  expect(await screen.findByText("at /sign-in")).toBeTruthy();
});

test("the console is offered to operators only", async () => {
  serve(listing());
  const { unmount } = open();
  await userEvent.click(screen.getByRole("button", { name: /^Account of ?Alice/ }));
  expect(within(await screen.findByRole("menu")).queryByText("Admin console")).toBeNull();
  unmount();
  open({ who: me({ user: { ...me().user, is_operator: true } }) });
  await userEvent.click(screen.getByRole("button", { name: /^Account of ?Alice/ }));
  expect(within(await screen.findByRole("menu")).getByText("Admin console")).toBeTruthy();
});

test("the search opens from the list", async () => {
  serve(listing());
  const onSearch = vi.fn();
  open({ onSearch });
  await userEvent.click(screen.getByRole("button", { name: /^Search/ }));
  expect(onSearch).toHaveBeenCalledOnce();
});
