import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { View } from "@/events/reducer";
import { updateUnsent, addUnsent } from "@/lib/outbox";
import { json, mockServer } from "@/testing/render";
import { chat } from "@/testing/samples";
import {
  resetChat,
  C1,
  COUNT,
  focused,
  liveState,
  message,
  messages,
  openChat,
  DEFAULT_ANSWERS,
} from "../testing/open-chat";

beforeEach(resetChat);

test("a conversation opens at its newest message and renders few messages", async () => {
  const requests = mockServer(DEFAULT_ANSWERS);
  const { container } = openChat();
  await message(COUNT - 1);
  expect(container.querySelectorAll("[data-message-index]").length).toBeLessThan(60);
  const pages = requests.filter((one) => one.url.includes("/messages")).map((one) => new URL(one.url).search);
  expect(pages[0]).toContain("from_index=100");
});

test("the edited or focused message stays mounted while scrolling", async () => {
  mockServer(DEFAULT_ANSWERS);
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

test("messages that fail to load are reported and can be retried", async () => {
  let isAway = true;
  mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}/messages`]: (request) => (isAway ? json({ code: "broken" }, 500) : messages(request)),
  });
  const user = userEvent.setup();
  openChat();
  expect(await screen.findByText("Couldn't load these messages.")).toBeTruthy();
  expect(screen.getByRole("img", { name: "Loading message 120" })).toBeTruthy();
  isAway = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await message(COUNT - 1);
  expect(screen.queryByText("Couldn't load these messages.")).toBeNull();
});

test("compactions that fail to load are reported", async () => {
  mockServer({ ...DEFAULT_ANSWERS, [`GET ${C1}/compactions`]: () => json({ code: "broken" }, 500) });
  openChat();
  expect(await screen.findByText("Couldn't load the compaction history.")).toBeTruthy();
});

test("in a fork the border is at the end of its summary", async () => {
  mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}/summary`]: () => json({ version: 1, covers_through: 115, rolling_summary: {} }),
  });
  const state = { ...liveState(), turn: null, summary: { version: 1, tokens: 90, compaction_count: 1 } };
  openChat({ view: { state, version: 1, healthVersion: 1, stale: false, stage: null } as unknown as View });
  expect(await screen.findByRole("group", { name: "Messages 1–116 are compacted" })).toBeTruthy();
});

test("a requested message is scrolled into view", async () => {
  mockServer(DEFAULT_ANSWERS);
  openChat({ target: { index: 3, requestId: 1 } });
  await waitFor(() => expect(focused()).toBe("3"));
});

test("a requested message behind the end leads to the last one", async () => {
  mockServer(DEFAULT_ANSWERS);
  openChat({ target: { index: COUNT, requestId: 1 } });
  await waitFor(() => expect(focused()).toBe(String(COUNT - 1)));
});

test("an unsent message is shown in a chat without messages", async () => {
  mockServer({ ...DEFAULT_ANSWERS, [`GET ${C1}`]: () => json(chat("c1", { message_count: 0 })) });
  const { externalId } = addUnsent("u1/w1/c1", "The first");
  updateUnsent("u1/w1/c1", externalId, { refused: "Too long" });
  openChat();
  expect(await screen.findByText("The first")).toBeTruthy();
});
