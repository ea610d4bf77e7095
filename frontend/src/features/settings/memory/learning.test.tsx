import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { lastRequest, MEMBER, renderSettings } from "../testing/in-settings";
import { OWN_SETTINGS, policy } from "../testing/samples";

const OWN = "Learn from my chats";
const WORKSPACE = "Learn from chats in this workspace";

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

test("an admin switches it off for the workspace", async () => {
  let current = policy();
  const requests = renderSettings("memory", {
    "GET /api/policy": () => json(current),
    "PATCH /api/policy": () => {
      current = policy({ extraction_enabled: false });
      return json(current);
    },
  });
  await userEvent.click(await screen.findByRole("switch", { name: WORKSPACE, checked: true }));
  expect(await screen.findByRole("switch", { name: WORKSPACE, checked: false })).toBeTruthy();
  const { body } = await lastRequest(requests, "PATCH", "/api/policy");
  expect(body).toEqual({ overrides: { extraction_enabled: false } });
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
