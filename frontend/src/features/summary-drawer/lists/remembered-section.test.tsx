import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { chat, page } from "@/testing/samples";
import { READ, renderInDrawer } from "../testing/in-drawer";
import { AT, ID } from "../testing/samples";
import { RememberedSection } from "./remembered-section";

const ROME = {
  id: "k1",
  message_id: "m4",
  index: 4,
  quote: "I live in Rome",
  rule: "self",
  outcome: "created",
  state: "accepted",
  memory_id: "n1",
  uri: "mem://user/profile/rome",
  statement: "I live in Rome.",
  change_id: "h1",
  conflicts: 0,
  created_at: "2026-11-20T10:00:00Z",
};
const CAPTAIN = {
  ...ROME,
  id: "k2",
  memory_id: "n2",
  statement: "Carol: I'm the captain.",
  state: "proposed",
};

test("memories are listed with their message, and those that wait lead to the inbox", async () => {
  const { showMessage } = renderInDrawer(<RememberedSection />, {
    answers: {
      [`GET ${AT}/memories`]: () => json(page([ROME, CAPTAIN, { ...ROME, id: "k3", state: "archived" }])),
    },
  });
  const rome = await screen.findByRole("link", { name: "I live in Rome." });
  expect(rome.getAttribute("href")).toBe("/memory/n/n1");
  const captain = screen.getByRole("link", { name: "Carol: I'm the captain." });
  expect(captain.getAttribute("href")).toBe("/memory/inbox/n2");
  expect(screen.getByText("waits for you")).toBeTruthy();
  await userEvent.click(screen.getAllByRole("button", { name: /^Source: message 5/ })[0] as HTMLElement);
  expect(showMessage).toHaveBeenCalledWith(4);
  expect(await screen.findByText("All messages were read.")).toBeTruthy();
});

test("the chat is read on request", async () => {
  const result = { created: 1, proposed: 0, replaced: 0, merged: 0, known: 0, reason: "" };
  const operation = { id: "o1", state: "succeeded", stage: "", error: null, result };
  renderInDrawer(<RememberedSection />, { answers: { [`POST ${AT}/extraction`]: () => json(operation) } });
  await userEvent.click(await screen.findByRole("button", { name: "Remember now" }));
  expect(await screen.findByText("Remembered: 1 memory")).toBeTruthy();
});

test("a run that failed for good says why and when it is tried again, and can be tried at once", async () => {
  const failure = {
    code: "time_limit",
    detail: "Reading took longer than a run may take.",
    gave_up: true,
    retry_at: "2026-11-20T10:00:00Z",
  };
  const state = { ...READ, unread_messages: 4, failure };
  const { requests } = renderInDrawer(<RememberedSection />, {
    answers: { [`GET ${AT}/extraction`]: () => json(state) },
  });
  expect(await screen.findByText(/^Reading took longer than a run may take\. Next attempt: /)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(requests.some(({ method, url }) => method === "POST" && url.endsWith("/extraction"))).toBe(true);
});

test("a temporary chat says that it learns nothing", async () => {
  const state = { ...READ, off_by: "temporary" };
  renderInDrawer(<RememberedSection />, { answers: { [`GET ${AT}/extraction`]: () => json(state) } });
  expect(await screen.findByText("A temporary chat learns nothing.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Remember now" })).toBeNull();
});

test("nobody but the owner sees it", async () => {
  const shared = { ...chat(ID), access: "write" };
  const { requests } = renderInDrawer(<RememberedSection />, {
    answers: { [`GET ${AT}`]: () => json(shared) },
  });
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  expect(screen.queryByText("Remembered from this chat")).toBeNull();
});
