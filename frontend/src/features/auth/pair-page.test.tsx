import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes, useLocation } from "react-router";
import { expect, test } from "vitest";
import type { Pairing } from "@/api/agents";
import { json, mockServer, renderInApp } from "@/testing/render";
import { ACME, me } from "@/testing/samples";
import PairPage from "./pair-page";
import SignInPage from "./sign-in-page";

const PAIRING: Pairing = {
  user_code: "BCDF-GHJK",
  client: "claude-code",
  name: "laptop",
  version: "1.2.0",
  status: "pending",
  workspace_id: ACME.id,
  workspace_name: "Acme",
  requested_at: "2026-11-25T09:30:00Z",
  expires_at: "2026-11-25T09:40:00Z",
};
const PATH = "GET /api/pairings/BCDF-GHJK";

function CurrentPath() {
  const { pathname } = useLocation();
  return <p>at {pathname}</p>;
}

function open(answers: Parameters<typeof mockServer>[0] = {}, path = "/pair?code=BCDF-GHJK") {
  const requests = mockServer({ "GET /api/me": () => json(me()), [PATH]: () => json(PAIRING), ...answers });
  const routes = (
    <Routes>
      <Route path="/sign-in" element={<SignInPage />} />
      <Route path="/pair" element={<PairPage />} />
      <Route path="*" element={<CurrentPath />} />
    </Routes>
  );
  renderInApp(routes, path);
  return requests;
}

test("the page says which client on which machine asks, and approving leads to the paired clients", async () => {
  let current = PAIRING;
  const requests = open({
    [PATH]: () => json(current),
    "POST /api/pairings/BCDF-GHJK/approve": () => {
      current = { ...PAIRING, status: "used" };
      return json({ ...PAIRING, status: "approved" });
    },
  });
  expect(await screen.findByText("Claude Code on laptop requests access to your memory.")).toBeTruthy();
  expect(screen.getByText("Claude Code 1.2.0")).toBeTruthy();
  expect(screen.getByText("BCDF-GHJK")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Approve" }));
  expect(await screen.findByRole("heading", { name: "Approved" })).toBeTruthy();
  const sent = requests.find(({ method }) => method === "POST");
  expect(sent?.headers.get("X-Continuity-Workspace")).toBe(ACME.id);
  expect(await screen.findByRole("heading", { name: "laptop is paired" }, { timeout: 4000 })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Paired clients" }));
  expect(await screen.findByText("at /settings/agents")).toBeTruthy();
});

test("denying sends no approval", async () => {
  const requests = open({
    "POST /api/pairings/BCDF-GHJK/deny": () => json({ ...PAIRING, status: "denied" }),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Deny" }));
  expect(await screen.findByText("laptop gets no key. You can close this page.")).toBeTruthy();
  expect(requests.some(({ url }) => url.endsWith("/approve"))).toBe(false);
});

test("a person with several workspaces chooses the one that the key is for", async () => {
  const second = { ...ACME, id: "w2", name: "Second" };
  const requests = open({
    "GET /api/me": () => json(me({ memberships: [ACME, second] })),
    "POST /api/pairings/BCDF-GHJK/approve": () => json({ ...PAIRING, status: "approved" }),
  });
  await userEvent.selectOptions(await screen.findByLabelText("Workspace"), "Second");
  await userEvent.click(screen.getByRole("button", { name: "Approve" }));
  await screen.findByRole("heading", { name: "Approved" });
  const sent = requests.find(({ method }) => method === "POST");
  expect(sent?.headers.get("X-Continuity-Workspace")).toBe("w2");
});

test.each([
  ["pairing_expired", 410, "This code has expired"],
  ["not_found", 404, "Code not found"],
  ["rate_limited", 429, "Couldn't load the pairing"],
])("%s is explained, with a way to another code", async (code, status, title) => {
  open({ [PATH]: () => json({ code }, status) });
  expect(await screen.findByRole("heading", { name: title })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Enter another code" }));
  expect(await screen.findByLabelText("Code")).toBeTruthy();
});

test.each([
  ["pairing_used", 410, "This code was already used"],
  ["pairing_expired", 410, "This code has expired"],
  ["forbidden", 403, "You can't pair clients here"],
])("an approval that is refused with %s is explained", async (code, status, title) => {
  open({ "POST /api/pairings/BCDF-GHJK/approve": () => json({ code }, status) });
  await userEvent.click(await screen.findByRole("button", { name: "Approve" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain(title));
});

test("a code that was used before is shown as used", async () => {
  open({ [PATH]: () => json({ ...PAIRING, status: "used" }) });
  expect(await screen.findByText(/has collected its key for Acme/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
});

test("a visitor signs in first and then returns to the code", async () => {
  let isSignedIn = false;
  open({
    "GET /api/me": () => (isSignedIn ? json(me()) : json({ code: "not_signed_in" }, 401)),
    "POST /api/sign-in": () => {
      isSignedIn = true;
      return json(me());
    },
  });
  await userEvent.type(await screen.findByLabelText("Email"), "alice@example.org");
  await userEvent.type(screen.getByLabelText("Password", { selector: "input" }), "correct horse");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByRole("heading", { name: "Pair laptop?" })).toBeTruthy();
});

test("without a code in the address one is typed", async () => {
  open({}, "/pair");
  await userEvent.click(await screen.findByRole("button", { name: "Continue" }));
  expect(screen.getByText("Enter the code.")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Code"), " BCDF-GHJK ");
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByRole("heading", { name: "Pair laptop?" })).toBeTruthy();
});

test("a person without a workspace is told what to do", async () => {
  open({ "GET /api/me": () => json(me({ workspace: null, memberships: [] })) });
  expect(await screen.findByText(/accept an invitation, then open this page again/)).toBeTruthy();
});
