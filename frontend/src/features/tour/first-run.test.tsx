import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Conversation } from "@/api/conversations";
import type { Me } from "@/api/session";
import { SAMPLE } from "@/lib/demo-conversation";
import { json, serve, show } from "@/testing/render";
import { chat, me, page } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { FirstRun } from "./first-run";

const sample = chat("s", { external_id: SAMPLE, message_count: 90 });
const offline = me({ chat_model: { provider: "offline", model: "", configured: false, because: "" } });

function open(chats: Conversation[], who: Me = me()) {
  serve({ "GET /api/conversations": () => json(page(chats)) });
  show(
    <InShell me={who}>
      <FirstRun />
    </InShell>,
  );
}

test("at the very first the sample is the way in", async () => {
  open([sample]);
  expect(await screen.findByRole("heading", { name: /Write as long as you like/ })).toBeTruthy();
  expect(screen.getByText("90 messages, a summary, pins and a full drawer.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the sample" }).getAttribute("href")).toBe("/c/s");
});

test("without a model one reads that it works all the same, and how to add one", async () => {
  open([], offline);
  expect(await screen.findByText("No model is set up yet, and that is fine.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the settings" }).getAttribute("href")).toBe(
    "/settings/models",
  );
});

test("with a model nothing is said about one", async () => {
  open([sample]);
  await screen.findByRole("heading", { name: /Write as long/ });
  expect(screen.queryByText("Add a model")).toBeNull();
});

test("whoever has chats already is only greeted", async () => {
  open([chat("a"), sample]);
  expect(await screen.findByRole("heading", { name: "Hello, Alice" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Open the sample" })).toBeNull();
});
