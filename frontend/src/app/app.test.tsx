import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { boxOf, change, put } from "@/lib/outbox";
import { json, serve } from "@/testing/render";
import { ACME, chat, me, page } from "@/testing/samples";
import { App } from "./app";

const lists = {
  "GET /api/policy": () => json({ effective: {} }),
  "GET /api/conversations": () => json(page([chat("a")])),
};

class FakeSocket {
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    sockets.push(this);
  }

  close() {}
  send() {}
}

const sockets: FakeSocket[] = [];

beforeEach(() => {
  sockets.length = 0;
  vi.stubGlobal("WebSocket", FakeSocket);
  history.replaceState(null, "", "/");
});

test("whoever is not signed in is led to the sign-in", async () => {
  serve({ "GET /api/me": () => json({ code: "not_signed_in" }, 401) });
  render(<App />);
  expect(await screen.findByRole("heading", { name: "Sign in to Continuity" })).toBeTruthy();
  expect(location.pathname).toBe("/sign-in");
  expect(screen.queryByText(/Your session ended/)).toBeNull();
});

test("a session that ends while the page is open leads to the sign-in, and says so", async () => {
  serve({
    ...lists,
    "GET /api/me": () => json(me()),
    "GET /api/conversations": () => json({ code: "not_signed_in" }, 401),
  });
  render(<App />);
  expect(await screen.findByText(/Your session ended/)).toBeTruthy();
});

test("a session that the socket finds ended leads to the sign-in, and says so", async () => {
  let signedIn = true;
  serve({ ...lists, "GET /api/me": () => (signedIn ? json(me()) : json({ code: "not_signed_in" }, 401)) });
  render(<App />);
  await screen.findByRole("link", { name: "Chat a" });
  signedIn = false;
  sockets.at(-1)?.onclose?.({ code: 4401 });
  expect(await screen.findByText(/Your session ended/)).toBeTruthy();
});

const bob = { ...me().user, id: "u2", email: "bob@example.org", name: "Bob" };

test("somebody else who signed in in another tab finds nothing of whoever was here before", async () => {
  let who = me();
  serve({
    ...lists,
    "GET /api/me": () => json(who),
    "GET /api/conversations": () => json(page([who.user.id === "u1" ? chat("a") : chat("b")])),
  });
  render(<App />);
  await screen.findByRole("link", { name: "Chat a" });
  who = me({ user: bob });
  const before = sockets.length;
  sockets.at(-1)?.onclose?.({ code: 4401 });
  expect(await screen.findByRole("link", { name: "Chat b" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Chat a" })).toBeNull();
  expect(sockets.length).toBeGreaterThan(before);
});

test("who one is is asked again when one comes back to the window", async () => {
  let who = me();
  serve({ ...lists, "GET /api/me": () => json(who) });
  render(<App />);
  await screen.findByRole("button", { name: /^Account of ?Alice/ });
  who = me({ user: bob });
  window.dispatchEvent(new Event("visibilitychange"));
  expect(await screen.findByRole("button", { name: /^Account of ?Bob/ })).toBeTruthy();
});

test("whoever belongs to no workspace can begin one", async () => {
  const nowhere = me({
    workspace: null,
    memberships: [],
    role: null,
    role_label: "",
    scopes: [],
    permissions: [],
    features: null,
  });
  const asked = serve({
    ...lists,
    "GET /api/me": () => json(nowhere),
    "POST /api/workspaces": () => json({ ...ACME, id: "w9" }, 201),
    "PATCH /api/me": () => json(me()),
  });
  render(<App />);
  await userEvent.click(await screen.findByRole("button", { name: "Create a workspace" }));
  expect(await screen.findByRole("link", { name: "Chat a" })).toBeTruthy();
  const chosen = asked.find(({ method }) => method === "PATCH") as Request;
  expect(await chosen.json()).toEqual({ workspace_id: "w9" });
});

test("signing out with messages that are not sent is asked about first", async () => {
  let isIn = true;
  serve({
    ...lists,
    "GET /api/me": () => (isIn ? json(me()) : json({ code: "not_signed_in" }, 401)),
    "POST /api/sign-out": () => {
      isIn = false;
      return new Response(null, { status: 204 });
    },
  });
  const box = boxOf("u1", "w1", "a");
  change(box, put(box, "Too long").externalId, { refused: "It is too long." });
  render(<App />);
  await screen.findByRole("link", { name: /^Chat a/ });
  await userEvent.click(screen.getByRole("button", { name: /^Account of ?Alice/ }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Sign out" }));
  expect(await screen.findByText(/^1 message is not sent yet/)).toBeTruthy();
  expect(isIn).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Sign out anyway" }));
  expect(await screen.findByRole("heading", { name: "Sign in to Continuity" })).toBeTruthy();
});

test("whoever signs out is not told that anything ended, and leaves nothing behind", async () => {
  serve({
    ...lists,
    "GET /api/me": () => json(me()),
    "POST /api/sign-out": () => new Response(null, { status: 204 }),
  });
  render(<App />);
  await screen.findByRole("link", { name: "Chat a" });
  await userEvent.click(screen.getByRole("button", { name: /^Account of ?Alice/ }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Sign out" }));
  expect(await screen.findByRole("heading", { name: "Sign in to Continuity" })).toBeTruthy();
  expect(screen.queryByText(/Your session ended/)).toBeNull();
  expect(screen.queryByText("Chat a")).toBeNull();
});

test("an address that leads nowhere says so, and leads back", async () => {
  history.replaceState(null, "", "/nowhere");
  serve({ ...lists, "GET /api/me": () => json(me()) });
  render(<App />);
  await userEvent.click(await screen.findByRole("button", { name: "Back to the chats" }));
  expect(await screen.findByRole("heading", { name: "Hello, Alice" })).toBeTruthy();
});

test("a server that is away says so, and one can try again", async () => {
  let tries = 0;
  serve({
    ...lists,
    "GET /api/me": () => {
      tries += 1;
      return tries <= 1 ? json({ code: "forbidden" }, 403) : json(me());
    },
  });
  render(<App />);
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { name: "Hello, Alice" })).toBeTruthy();
});
