import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes, useLocation } from "react-router";
import { expect, test } from "vitest";
import { json, mockServer, renderInApp } from "@/testing/render";
import { me } from "@/testing/samples";
import JoinPage from "./join-page";
import SignInPage from "./sign-in-page";

const ANSWERS = {
  "GET /api/me": () => json(me({ workspace: null, memberships: [] })),
  "POST /api/invitations/preview": () =>
    json({
      workspace_name: "Acme",
      invited_by: "Olga",
      role: "admin",
      expires_at: "2026-11-30T09:30:00Z",
    }),
};

function CurrentPath() {
  const { pathname } = useLocation();
  return <p>at {pathname}</p>;
}

function open(answers: Parameters<typeof mockServer>[0] = {}) {
  const requests = mockServer({ ...ANSWERS, ...answers });
  const routes = (
    <Routes>
      <Route path="/sign-in" element={<SignInPage />} />
      <Route path="/join/:secret" element={<JoinPage />} />
      <Route path="*" element={<CurrentPath />} />
    </Routes>
  );
  renderInApp(routes, "/join/s3cret");
  return requests;
}

test("the page says who invites whom to what, and accepting joins the workspace", async () => {
  const requests = open({ "POST /api/invitations/accept": () => json(me()) });
  expect(await screen.findByText("Olga invited you to Acme as an admin.")).toBeTruthy();
  expect(screen.getByText(/signed in as alice@example\.org/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Accept" }));
  expect(await screen.findByText("at /")).toBeTruthy();
  expect(screen.getByText("You joined Acme")).toBeTruthy();
  expect(await requests.at(-1)?.json()).toEqual({ secret: "s3cret" });
  expect(requests.filter(({ url }) => url.endsWith("/preview"))).toHaveLength(1);
});

test("declining leads back without joining", async () => {
  const requests = open({ "POST /api/invitations/decline": () => new Response(null, { status: 204 }) });
  await userEvent.click(await screen.findByRole("button", { name: "Decline" }));
  expect(await screen.findByText("Invitation declined")).toBeTruthy();
  expect(requests.some(({ url }) => url.endsWith("/accept"))).toBe(false);
});

test("a visitor signs in first and then returns to the invitation", async () => {
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
  expect(await screen.findByText("Olga invited you to Acme as an admin.")).toBeTruthy();
});

test.each([
  ["invitation_not_found", 404, "Invitation not found"],
  ["invitation_over", 410, "This invitation is no longer valid"],
])("%s is explained, with a way out", async (code, status, title) => {
  open({ "POST /api/invitations/preview": () => json({ code }, status) });
  expect(await screen.findByRole("heading", { name: title })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Accept" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Back to chats" }));
  expect(await screen.findByText("at /")).toBeTruthy();
});

test("an invitation that ended in the meantime is reported", async () => {
  const detail = "This invitation was already used or revoked, or it has expired. Ask for a new one.";
  open({ "POST /api/invitations/accept": () => json({ code: "invitation_over", detail }, 410) });
  await userEvent.click(await screen.findByRole("button", { name: "Accept" }));
  expect(await screen.findByText(detail)).toBeTruthy();
});
