import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { lastRequest, MEMBER, renderSettings } from "../testing/in-settings";
import { OWN_SETTINGS, policy } from "../testing/samples";

const OWN = "Learn from my chats";
const WORKSPACE = "Learn from chats in this workspace";
const PAST_CHATS = "Chats may quote your other chats";

test("a person switches off what is learned from their chats", async () => {
  let own = OWN_SETTINGS;
  const requests = renderSettings("memory", {
    "GET /api/me/context": () => json(own),
    "PATCH /api/me/context": () => {
      own = { ...own, remembers: false, version: 3 };
      return json(own);
    },
  });
  await userEvent.click(await screen.findByRole("switch", { name: OWN, checked: true }));
  expect(await screen.findByRole("switch", { name: OWN, checked: false })).toBeTruthy();
  const { body, match } = await lastRequest(requests, "PATCH", "/api/me/context");
  expect([body, match]).toEqual([{ remembers: false }, '"2"']);
});

test.each([
  [WORKSPACE, { extraction_enabled: false }],
  [PAST_CHATS, { past_chats_enabled: false }],
])("an admin switches for the workspace: %s", async (name, off) => {
  let current = policy();
  const requests = renderSettings("memory", {
    "GET /api/policy": () => json(current),
    "PATCH /api/policy": () => {
      current = policy(off);
      return json(current);
    },
  });
  await userEvent.click(await screen.findByRole("switch", { name, checked: true }));
  expect(await screen.findByRole("switch", { name, checked: false })).toBeTruthy();
  const { body } = await lastRequest(requests, "PATCH", "/api/policy");
  expect(body).toEqual({ overrides: off });
});

test("a member switches only their own", async () => {
  renderSettings("memory", {}, MEMBER);
  expect((await screen.findByRole("switch", { name: WORKSPACE })).matches(":disabled")).toBe(true);
  expect((await screen.findByRole("switch", { name: OWN })).matches(":disabled")).toBe(false);
});

test("what the server has off cannot be switched on", async () => {
  renderSettings("memory", { "GET /api/policy": () => json(policy({}, { extraction_enabled: false })) });
  expect((await screen.findByRole("switch", { name: WORKSPACE })).matches(":disabled")).toBe(true);
  expect(screen.getByText(/Only the server operator can change this/)).toBeTruthy();
});
