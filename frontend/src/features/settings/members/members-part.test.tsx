import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Invitation, Member } from "@/api/members";
import type { Me, Permission } from "@/api/session";
import { json } from "@/testing/render";
import { me } from "@/testing/samples";
import { lastRequest, MEMBER, renderSettings } from "../testing/in-settings";

const ALICE: Member = {
  user_id: "u1",
  email: "alice@example.org",
  name: "Alice",
  role: "owner",
  created_at: "2026-01-01T00:00:00Z",
};
const BOB: Member = { ...ALICE, user_id: "u2", email: "bob@example.org", name: "Bob", role: "member" };
const OLGA: Member = { ...ALICE, user_id: "u3", email: "olga@example.org", name: "Olga" };

const INVITATION: Invitation = {
  id: "i1",
  email: "dora@example.org",
  role: "viewer",
  invited_by: "Alice",
  expires_at: "2026-11-30T09:30:00Z",
  created_at: "2026-11-23T09:30:00Z",
};

const page = (data: unknown[]) => json({ data, next_cursor: null, has_more: false });

function renderMembers(answers: Parameters<typeof renderSettings>[1] = {}, user: Me = me()) {
  return renderSettings(
    "members",
    {
      "GET /api/members": () => page([ALICE, BOB, OLGA]),
      "GET /api/invitations": () => page([INVITATION]),
      ...answers,
    },
    user,
  );
}

const admin = me({
  role: "admin",
  permissions: me().permissions.filter((one: Permission) => one !== "manage_owners"),
});

test("every member is listed with role, address and date", async () => {
  renderMembers();
  const row = within((await screen.findByText("Bob")).closest("li") as HTMLElement);
  expect(row.getByText(/bob@example\.org · Joined Jan 1, 2026/)).toBeTruthy();
  expect(row.getByRole<HTMLSelectElement>("combobox", { name: "Role of Bob" }).value).toBe("member");
});

test("every page of the list is loaded", async () => {
  const requests = renderMembers({
    "GET /api/members": ({ url }) =>
      url.includes("cursor=next")
        ? page([BOB])
        : json({ data: [ALICE], next_cursor: "next", has_more: true }),
  });
  expect(await screen.findByText("Bob")).toBeTruthy();
  expect(requests.filter(({ url }) => url.includes("/api/members"))).toHaveLength(2);
});

test("a new role is sent and confirmed", async () => {
  const requests = renderMembers({ "PATCH /api/members/u2": () => json({ ...BOB, role: "curator" }) });
  await userEvent.selectOptions(await screen.findByLabelText("Role of Bob"), "curator");
  expect(await screen.findByText("Bob is now a curator")).toBeTruthy();
  expect((await lastRequest(requests, "PATCH", "/api/members/u2")).body).toEqual({ role: "curator" });
});

test("a member is removed only after a confirmation", async () => {
  const requests = renderMembers({ "DELETE /api/members/u2": () => new Response(null, { status: 204 }) });
  await userEvent.click(await screen.findByRole("button", { name: "Remove Bob" }));
  expect(requests.some(({ method }) => method === "DELETE")).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Remove" }));
  expect(await screen.findByText("Bob was removed")).toBeTruthy();
});

test("a rejected change is reported", async () => {
  const detail = "A workspace must have at least one owner.";
  renderMembers({ "PATCH /api/members/u3": () => json({ code: "last_owner", detail }, 409) });
  await userEvent.selectOptions(await screen.findByLabelText("Role of Olga"), "viewer");
  expect(await screen.findByText(detail)).toBeTruthy();
  expect(screen.getByLabelText<HTMLSelectElement>("Role of Olga").value).toBe("owner");
});

test("a member leaves after a confirmation, and the session is read again", async () => {
  const requests = renderMembers(
    { "DELETE /api/members/u1": () => new Response(null, { status: 204 }) },
    MEMBER,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Leave workspace" }));
  const question = within(screen.getByRole("group", { name: "Leave Acme?" }));
  expect(requests.some(({ method }) => method === "DELETE")).toBe(false);
  await userEvent.click(question.getByRole("button", { name: "Leave workspace" }));
  expect(await screen.findByText("You left Acme")).toBeTruthy();
});

test("the last owner is told what to do before leaving", async () => {
  const detail = "A workspace must have at least one owner.";
  renderMembers({ "DELETE /api/members/u1": () => json({ code: "last_owner", detail }, 409) });
  await userEvent.click(await screen.findByRole("button", { name: "Leave workspace" }));
  await userEvent.click(within(screen.getByRole("group")).getByRole("button", { name: "Leave workspace" }));
  expect((await screen.findByRole("alert")).textContent).toBe(
    "You're the only owner. Make another member an owner, then leave.",
  );
  expect(screen.queryByText(/^You left/)).toBeNull();
});

test("people without the permission see the list alone", async () => {
  const requests = renderMembers({}, MEMBER);
  expect(await screen.findByText("Bob")).toBeTruthy();
  expect(screen.queryByRole("combobox")).toBeNull();
  expect(screen.queryByRole("heading", { name: "Invite people" })).toBeNull();
  expect(screen.getByText(/Only owners and admins/)).toBeTruthy();
  expect(requests.some(({ url }) => url.includes("/api/invitations"))).toBe(false);
});

test("an admin cannot change or create owners", async () => {
  const owner = { ...INVITATION, id: "i2", email: "otto@example.org", role: "owner" };
  renderMembers({ "GET /api/invitations": () => page([INVITATION, owner]) }, admin);
  expect(await screen.findByLabelText("Role of Bob")).toBeTruthy();
  expect(screen.queryByLabelText("Role of Olga")).toBeNull();
  const role = screen.getByRole("combobox", { name: "Role" });
  expect(within(role).queryByRole("option", { name: "Owner" })).toBeNull();
  expect(await screen.findByRole("button", { name: /Revoke .* dora@/ })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Revoke .* otto@/ })).toBeNull();
});

test("an invitation shows its link once, ready to copy", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  const user = userEvent.setup();
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  const requests = renderMembers({
    "POST /api/invitations": () => json({ ...INVITATION, secret: "s3cret" }, 201),
  });
  await user.type(await screen.findByLabelText("Email"), "dora@example.org");
  await user.selectOptions(screen.getByRole("combobox", { name: "Role" }), "viewer");
  await user.click(screen.getByRole("button", { name: "Create invitation link" }));
  const field = await screen.findByLabelText<HTMLInputElement>("Invitation link for dora@example.org");
  expect(field.value).toBe(`${location.origin}/join/s3cret`);
  expect(document.activeElement).toBe(field);
  await user.click(screen.getByRole("button", { name: "Copy link" }));
  expect(await screen.findByText("Link copied")).toBeTruthy();
  expect(writeText).toHaveBeenCalledWith(field.value);
  await user.click(screen.getByRole("button", { name: "Done" }));
  expect(screen.queryByDisplayValue(/s3cret/)).toBeNull();
  const sent = await lastRequest(requests, "POST", "/api/invitations");
  expect(sent.body).toEqual({ email: "dora@example.org", role: "viewer" });
});

test("a missing or rejected address is reported at its field", async () => {
  const errors = [{ pointer: "/email", code: "invalid", detail: "Enter a valid email address." }];
  renderMembers({ "POST /api/invitations": () => json({ code: "invalid", errors }, 400) });
  await userEvent.click(await screen.findByRole("button", { name: "Create invitation link" }));
  expect(screen.getByText("Enter an email address.")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Email"), "dora");
  await userEvent.click(screen.getByRole("button", { name: "Create invitation link" }));
  expect(await screen.findByText("Enter a valid email address.")).toBeTruthy();
});

test("an invitation that was not created is reported", async () => {
  const detail = "This person is already a member.";
  renderMembers({ "POST /api/invitations": () => json({ code: "already_member", detail }, 409) });
  await userEvent.type(await screen.findByLabelText("Email"), "bob@example.org");
  await userEvent.click(screen.getByRole("button", { name: "Create invitation link" }));
  expect((await screen.findByRole("alert")).textContent).toContain(detail);
});

test("a pending invitation can be revoked", async () => {
  let pending = [INVITATION];
  renderMembers({
    "GET /api/invitations": () => page(pending),
    "DELETE /api/invitations/i1": () => {
      pending = [];
      return new Response(null, { status: 204 });
    },
  });
  expect(await screen.findByText(/Viewer · invited by Alice · expires Nov 30, 2026/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Revoke the invitation for dora@example.org" }));
  await waitFor(() => expect(screen.getByText("No pending invitations.")).toBeTruthy());
});
