import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Conversation } from "@/api/conversations";
import type { Me } from "@/api/session";
import { DEMO_EXTERNAL_ID } from "@/lib/demo-conversation";
import { json, mockServer, renderInApp } from "@/testing/render";
import { chat, me, page } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { FirstRun } from "./first-run";

const sample = chat("s", { external_id: DEMO_EXTERNAL_ID, message_count: 90 });
const withoutModel = me({ chat_model: { provider: "offline", model: "", configured: false, reason: "" } });

function open(chats: Conversation[], user: Me = me(), onSend = vi.fn()) {
  mockServer({ "GET /api/conversations": () => json(page(chats)) });
  renderInApp(
    <InShell me={user}>
      <FirstRun onSend={onSend} />
    </InShell>,
  );
}

test("a new user is led to the demo conversation", async () => {
  open([sample]);
  expect(await screen.findByRole("heading", { name: /Write as long as you like/ })).toBeTruthy();
  expect(screen.getByText("90 messages with a summary, pins and a full drawer.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the sample" }).getAttribute("href")).toBe("/c/s");
});

test("the demo conversation is not offered before it has messages", async () => {
  open([{ ...sample, message_count: 0 }]);
  await screen.findByRole("heading", { name: /Write as long/ });
  expect(screen.queryByText("See a finished chat")).toBeNull();
});

test("no model the page says that the app works anyway, and how to add one", async () => {
  open([], withoutModel);
  expect(await screen.findByText("No model is connected yet.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Add a key" }).getAttribute("href")).toBe("/settings/models");
});

test("with a model nothing is said about one", async () => {
  open([sample]);
  await screen.findByRole("heading", { name: /Write as long/ });
  expect(screen.queryByText("Add a model")).toBeNull();
});

test("a user with chats sees only a greeting", async () => {
  open([chat("a"), sample]);
  expect(await screen.findByRole("heading", { name: "Hello, Alice" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Open the sample" })).toBeNull();
});

test("a new user can begin with a suggestion", async () => {
  const onSend = vi.fn();
  open([sample], me(), onSend);
  await userEvent.click(await screen.findByRole("button", { name: "What can you do?" }));
  expect(onSend).toHaveBeenCalledWith("What can you do?");
});
