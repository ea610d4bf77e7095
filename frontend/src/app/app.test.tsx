import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { boxOf, updateUnsent, addUnsent } from "@/lib/outbox";
import { json, mockServer } from "@/testing/render";
import { ACME, chat, me, page } from "@/testing/samples";
import { App } from "./app";

const ROUTES = {
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

test("a visitor who is not signed in is sent to the sign-in page", async () => {
  mockServer({ "GET /api/me": () => json({ code: "not_signed_in" }, 401) });
  render(<App env="test" />);
  expect(await screen.findByRole("heading", { name: "Sign in to Continuity" })).toBeTruthy();
  expect(location.pathname).toBe("/sign-in");
  expect(screen.queryByText(/Your session ended/)).toBeNull();
});

test("a session that ends while the page is open leads to the sign-in page with an explanation", async () => {
  mockServer({
    ...ROUTES,
    "GET /api/me": () => json(me()),
    "GET /api/conversations": () => json({ code: "not_signed_in" }, 401),
  });
  render(<App env="test" />);
  expect(await screen.findByText(/Your session ended/)).toBeTruthy();
});

test("a session that ends on the socket leads to the sign-in page with an explanation", async () => {
  let signedIn = true;
  mockServer({
    ...ROUTES,
    "GET /api/me": () => (signedIn ? json(me()) : json({ code: "not_signed_in" }, 401)),
  });
  render(<App env="test" />);
  await screen.findByRole("link", { name: "Chat a" });
  signedIn = false;
  sockets.at(-1)?.onclose?.({ code: 4401 });
  expect(await screen.findByText(/Your session ended/)).toBeTruthy();
});

const bob = { ...me().user, id: "u2", email: "bob@example.org", name: "Bob" };

test("a user who signed in in another tab does not see the previous user's data", async () => {
  let current = me();
  mockServer({
    ...ROUTES,
    "GET /api/me": () => json(current),
    "GET /api/conversations": () => json(page([current.user.id === "u1" ? chat("a") : chat("b")])),
  });
  render(<App env="test" />);
  await screen.findByRole("link", { name: "Chat a" });
  current = me({ user: bob });
  const before = sockets.length;
  sockets.at(-1)?.onclose?.({ code: 4401 });
  expect(await screen.findByRole("link", { name: "Chat b" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Chat a" })).toBeNull();
  expect(sockets.length).toBeGreaterThan(before);
});

test("the session is checked again when the window regains focus", async () => {
  let current = me();
  mockServer({ ...ROUTES, "GET /api/me": () => json(current) });
  render(<App env="test" />);
  await screen.findByRole("button", { name: /^Account: ?Alice/ });
  current = me({ user: bob });
  window.dispatchEvent(new Event("visibilitychange"));
  expect(await screen.findByRole("button", { name: /^Account: ?Bob/ })).toBeTruthy();
});

test("a user without a workspace can create one", async () => {
  const withoutWorkspace = me({
    workspace: null,
    memberships: [],
    role: null,
    role_label: "",
    scopes: [],
    permissions: [],
    features: null,
  });
  const requests = mockServer({
    ...ROUTES,
    "GET /api/me": () => json(withoutWorkspace),
    "POST /api/workspaces": () => json({ ...ACME, id: "w9" }, 201),
    "PATCH /api/me": () => json(me()),
  });
  render(<App env="test" />);
  await userEvent.click(await screen.findByRole("button", { name: "Create a workspace" }));
  expect(await screen.findByRole("link", { name: "Chat a" })).toBeTruthy();
  const chosen = requests.find(({ method }) => method === "PATCH") as Request;
  expect(await chosen.json()).toEqual({ workspace_id: "w9" });
});

test("signing out with unsent messages asks for confirmation first", async () => {
  let isSignedIn = true;
  mockServer({
    ...ROUTES,
    "GET /api/me": () => (isSignedIn ? json(me()) : json({ code: "not_signed_in" }, 401)),
    "POST /api/sign-out": () => {
      isSignedIn = false;
      return new Response(null, { status: 204 });
    },
  });
  const box = boxOf("u1", "w1", "a");
  updateUnsent(box, addUnsent(box, "Too long").externalId, { refused: "It is too long." });
  render(<App env="test" />);
  await screen.findByRole("link", { name: /^Chat a/ });
  await userEvent.click(screen.getByRole("button", { name: /^Account: ?Alice/ }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Sign out" }));
  expect(await screen.findByText(/^1 message hasn't been sent/)).toBeTruthy();
  expect(isSignedIn).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Sign out anyway" }));
  expect(await screen.findByRole("heading", { name: "Sign in to Continuity" })).toBeTruthy();
});

test("a user who signs out is not told that the session expired, and leaves no data behind", async () => {
  mockServer({
    ...ROUTES,
    "GET /api/me": () => json(me()),
    "POST /api/sign-out": () => new Response(null, { status: 204 }),
  });
  render(<App env="test" />);
  await screen.findByRole("link", { name: "Chat a" });
  await userEvent.click(screen.getByRole("button", { name: /^Account: ?Alice/ }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Sign out" }));
  expect(await screen.findByRole("heading", { name: "Sign in to Continuity" })).toBeTruthy();
  expect(screen.queryByText(/Your session ended/)).toBeNull();
  expect(screen.queryByText("Chat a")).toBeNull();
});

test("an unknown address shows a page with a way back", async () => {
  history.replaceState(null, "", "/nowhere");
  mockServer({ ...ROUTES, "GET /api/me": () => json(me()) });
  render(<App env="test" />);
  await userEvent.click(await screen.findByRole("button", { name: "Back to chats" }));
  expect(await screen.findByRole("heading", { name: "Hello, Alice" })).toBeTruthy();
});

test("a new chat shows the state of its context before the first message", async () => {
  mockServer({ ...ROUTES, "GET /api/me": () => json(me()) });
  render(<App env="test" />);
  expect(await screen.findByText("Empty")).toBeTruthy();
});

test("without the feature a new chat shows no state of its context", async () => {
  const features = { engine: true, auto_compact: true, ui: false };
  mockServer({ ...ROUTES, "GET /api/me": () => json(me({ features })) });
  render(<App env="test" />);
  await screen.findByRole("heading", { name: "Hello, Alice" });
  expect(screen.queryByText("Empty")).toBeNull();
});

test("an unreachable server shows an error with a retry", async () => {
  let tries = 0;
  mockServer({
    ...ROUTES,
    "GET /api/me": () => {
      tries += 1;
      return tries <= 1 ? json({ code: "forbidden" }, 403) : json(me());
    },
  });
  render(<App env="test" />);
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { name: "Hello, Alice" })).toBeTruthy();
});
