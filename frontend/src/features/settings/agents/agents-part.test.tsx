import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Agent } from "@/api/agents";
import { json } from "@/testing/render";
import { me } from "@/testing/samples";
import { MEMBER, renderSettings } from "../testing/in-settings";

const LAPTOP: Agent = {
  id: "a1",
  key_id: "k1",
  user_id: "u1",
  user_name: "Alice",
  client: "claude-code",
  name: "laptop",
  version: "1.2.0",
  paired_at: "2026-11-20T09:30:00Z",
  last_event_at: null,
  last_event: "",
  event_count: 0,
  revoked_at: null,
};
const HIS: Agent = { ...LAPTOP, id: "a2", user_id: "u2", user_name: "Bob", name: "tower" };

const page = (data: unknown[]) => json({ data, next_cursor: null, has_more: false });

function renderAgents(rows: Agent[], answers: Parameters<typeof renderSettings>[1] = {}, user = me()) {
  return renderSettings("agents", { "GET /api/agents": () => page(rows), ...answers }, user);
}

const rowOf = async (name: string) => within((await screen.findByText(name)).closest("li") as HTMLElement);

test("without a client the page says how to connect one", async () => {
  renderAgents([]);
  expect(await screen.findByText("No agent has called")).toBeTruthy();
  expect(screen.getByText(/continuity login http:\/\/localhost/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "I have a code" }).getAttribute("href")).toBe("/pair");
});

test("a client is listed with its last event", async () => {
  const seen = { last_event_at: new Date().toISOString(), last_event: "PostToolUse", event_count: 1204 };
  renderAgents([
    { ...LAPTOP, ...seen },
    { ...LAPTOP, id: "a3", name: "desk" },
  ]);
  const row = await rowOf("laptop");
  expect(row.getByText(/Claude Code 1\.2\.0 · paired Nov 20, 2026/)).toBeTruthy();
  expect(row.getByText("Last event: PostToolUse, just now · 1,204 events")).toBeTruthy();
  expect((await rowOf("desk")).getByText("No event yet")).toBeTruthy();
});

test.each([
  [
    { engine: "enabled", bytes: 1204, tokens: 301, memories: 12, ms: 18 },
    /gets 12 memories: 301 tokens, 1,204 bytes/,
  ],
  [{ engine: "enabled", bytes: 0, tokens: 0, memories: 0, ms: 9 }, /Nothing is known about you yet/],
  [{ engine: "disabled", bytes: 0, tokens: 0, memories: 0, ms: 9 }, /the engine is off/],
])("the result of a test is told in words", async (result, words) => {
  renderAgents([LAPTOP], { "POST /api/agents/a1/test": () => json(result) });
  await userEvent.click(await screen.findByRole("button", { name: "Test laptop" }));
  expect((await screen.findByRole("status")).textContent).toMatch(words);
});

test("a test that fails says why", async () => {
  const detail = "The key of this client was revoked or has expired. Pair it again.";
  renderAgents([LAPTOP], { "POST /api/agents/a1/test": () => json({ code: "agent_revoked", detail }, 410) });
  await userEvent.click(await screen.findByRole("button", { name: "Test laptop" }));
  expect((await screen.findByRole("alert")).textContent).toContain(detail);
});

test("a key is revoked only after a confirmation, and the client moves to the revoked ones", async () => {
  let row = LAPTOP;
  const requests = renderAgents([], {
    "GET /api/agents": () => page([row]),
    "DELETE /api/agents/a1": () => {
      row = { ...LAPTOP, revoked_at: "2026-11-25T09:30:00Z" };
      return json(row);
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Revoke laptop" }));
  expect(requests.some(({ method }) => method === "DELETE")).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Revoke" }));
  expect(await screen.findByText("The key of laptop was revoked")).toBeTruthy();
  await userEvent.click(await screen.findByRole("button", { name: "Revoked 1" }));
  expect((await rowOf("laptop")).getByText(/revoked Nov 25, 2026/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Test laptop" })).toBeNull();
});

test("an administrator sees who paired a client, revokes it, but does not test it", async () => {
  renderAgents([HIS]);
  const row = await rowOf("tower");
  expect(row.getByText(/paired by Bob/)).toBeTruthy();
  expect(row.getByRole("button", { name: "Revoke tower" })).toBeTruthy();
  expect(row.queryByRole("button", { name: "Test tower" })).toBeNull();
});

test("a person who can only read is told that they cannot pair", async () => {
  renderAgents([], {}, { ...MEMBER, scopes: ["read"] });
  expect(await screen.findByText(/Your role can only read/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "I have a code" })).toBeNull();
});
