import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { View } from "@/events/reducer";
import { change, put } from "@/lib/outbox";
import { json, serve } from "@/testing/render";
import { chat } from "@/testing/samples";
import {
  anew,
  C1,
  COUNT,
  focused,
  liveState,
  message,
  messages,
  openChat,
  usual,
} from "../testing/open-chat";

beforeEach(anew);

test("a conversation opens at its newest message, with few messages in the page", async () => {
  const asked = serve(usual);
  const { container } = openChat();
  await message(COUNT - 1);
  expect(container.querySelectorAll("[data-message-index]").length).toBeLessThan(60);
  const pages = asked.filter((one) => one.url.includes("/messages")).map((one) => new URL(one.url).search);
  expect(pages[0]).toContain("from_index=100");
});

test("the message that is edited or has the focus stays in the page, wherever one scrolls", async () => {
  serve(usual);
  const user = userEvent.setup();
  openChat();
  const own = await message(COUNT - 2);
  await user.click(within(own).getByRole("button", { name: "Edit" }));
  await user.type(screen.getByRole("textbox", { name: "Edit your message" }), " anew");
  screen.getByRole("region", { name: "Messages" }).scrollTo({ top: 0 });
  await message(0);
  expect(screen.queryByRole("article", { name: /^Message 60,/ })).toBeNull();
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Edit your message" });
  expect(field.value).toBe("Text 118 anew");
  expect(document.activeElement).toBe(field);
});

test("messages that do not come are said to be missing, and asked for again", async () => {
  let isAway = true;
  serve({
    ...usual,
    [`GET ${C1}/messages`]: (request) => (isAway ? json({ code: "broken" }, 500) : messages(request)),
  });
  const user = userEvent.setup();
  openChat();
  expect(await screen.findByText("These messages could not be loaded.")).toBeTruthy();
  expect(screen.getByRole("img", { name: "Message 119 is being loaded" })).toBeTruthy();
  isAway = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await message(COUNT - 1);
  expect(screen.queryByText("These messages could not be loaded.")).toBeNull();
});

test("compactions that do not come are said to be missing", async () => {
  serve({ ...usual, [`GET ${C1}/compactions`]: () => json({ code: "broken" }, 500) });
  openChat();
  expect(await screen.findByText("Where this chat was compacted could not be loaded.")).toBeTruthy();
});

test("in a fork the border stands where its summary ends", async () => {
  serve({
    ...usual,
    [`GET ${C1}/summary`]: () => json({ version: 1, covers_through: 115, rolling_summary: {} }),
  });
  const state = { ...liveState(), turn: null, summary: { version: 1, tokens: 90, compaction_count: 1 } };
  openChat({ view: { state, version: 1, healthVersion: 1, stale: false, stage: null } as unknown as View });
  expect(await screen.findByRole("group", { name: "#0–#115 are compacted" })).toBeTruthy();
});

test("a message is shown when somebody asks for it", async () => {
  serve(usual);
  openChat({ place: { index: 3, asked: 1 } });
  await waitFor(() => expect(focused()).toBe("3"));
});

test("in a chat where nothing was said yet the message that waits is shown", async () => {
  serve({ ...usual, [`GET ${C1}`]: () => json(chat("c1", { message_count: 0 })) });
  const { externalId } = put("u1/w1/c1", "The first");
  change("u1/w1/c1", externalId, { refused: "Too long" });
  openChat();
  expect(await screen.findByText("The first")).toBeTruthy();
});
