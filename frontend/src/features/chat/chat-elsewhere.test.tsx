import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { json, mockServer, renderInApp } from "@/testing/render";
import { ACME, chat, me } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { ChatElsewhere } from "./chat-elsewhere";

const DEMO = { ...ACME, id: "w2", name: "Demo" };
const NOT_FOUND = { code: "not_found", title: "Page not found" };

function open() {
  return renderInApp(
    <InShell me={me({ memberships: [ACME, DEMO] })}>
      <ChatElsewhere id="c1" missing={<p>No such chat</p>} />
    </InShell>,
  );
}

test("a link to a chat in another of my workspaces switches to that workspace", async () => {
  const requests = mockServer({
    "GET /api/conversations/c1": ({ headers }) =>
      headers.get("X-Continuity-Workspace") === "w2" ? json(chat("c1")) : json(NOT_FOUND, 404),
    "PATCH /api/me": () => json(me({ workspace: DEMO })),
  });
  open();
  await waitFor(() => expect(requests.map(({ method }) => method)).toContain("PATCH"));
  const patch = requests.find(({ method }) => method === "PATCH");
  expect(await patch?.json()).toEqual({ workspace_id: "w2" });
  expect(screen.queryByText("No such chat")).toBeNull();
});

test("a chat that no workspace of mine has does not exist", async () => {
  mockServer({ "GET /api/conversations/c1": () => json(NOT_FOUND, 404) });
  open();
  expect(await screen.findByText("No such chat")).toBeTruthy();
});
