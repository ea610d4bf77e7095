import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Audience } from "@/api/audience";
import { json, lastSent, mockServer, renderInApp } from "@/testing/render";
import { chat } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { audience as texts } from "@/texts/audience";
import { DEFAULT_ANSWERS, openChat, resetChat } from "../testing/open-chat";
import AudienceLine from "./audience-line";

const C1 = "/api/conversations/c1";

function people(...names: string[]): Audience["readers"] {
  return names.map((name, place) => ({ user_id: `u${place + 2}`, name, access: "read" }));
}

function show(changes: Partial<Audience>, isOwner = true) {
  let current: Audience = {
    readers: people("Bob", "Carol", "Dave"),
    has_more: false,
    uses_private_memory: false,
    private_replies: 0,
    ...changes,
  };
  const requests = mockServer({
    [`GET ${C1}/audience`]: () => json(current),
    [`PATCH ${C1}`]: async (request: Request) => {
      const body = (await request.json()) as { private_memory_when_shared: boolean };
      current = { ...current, uses_private_memory: body.private_memory_when_shared };
      return json(chat("c1", { version: 4, ...body }));
    },
  });
  renderInApp(
    <InShell>
      <AudienceLine conversation={chat("c1", { version: 3 })} isOwner={isOwner} />
    </InShell>,
  );
  return requests;
}

test("the owner sees who reads the chat, and that memories are not used", async () => {
  show({});
  const line = await screen.findByRole("status");
  expect(line.textContent).toBe("Read by Bob and 2 others · your memories are not used here");
});

test("the owner turns memories on, which the server is asked for and the line then says", async () => {
  const requests = show({});
  const choice = await screen.findByRole("switch", { name: "Use my memories" });
  await userEvent.click(choice);
  expect(await screen.findByText(/your memories are used in replies to you/)).toBeTruthy();
  const sent = lastSent(requests, "PATCH", C1);
  expect(sent.headers.get("If-Match")).toBe('"3"');
  expect(screen.getByText(texts.switchIs)).toBeTruthy();
});

test("a member sees the readers and no switch", async () => {
  show({ readers: people("Alice"), private_replies: null }, false);
  const line = await screen.findByRole("status");
  expect(line.textContent).toBe("Read by Alice · your memories are not used here");
  expect(screen.queryByRole("switch")).toBeNull();
});

test("the owner is warned of replies that used private memories", async () => {
  show({ private_replies: 3 });
  expect(
    await screen.findByText("3 replies used private memories; the people you share with can read them."),
  ).toBeTruthy();
});

test("a chat that nobody else reads shows nothing", async () => {
  const requests = show({ readers: [] });
  await expect.poll(() => requests.length).toBe(1);
  expect(screen.queryByRole("status")).toBeNull();
});

test("a chat of somebody else names its readers above the composer", async () => {
  resetChat();
  mockServer({
    ...DEFAULT_ANSWERS,
    [`GET ${C1}`]: () => json(chat("c1", { access: "write", owner_name: "Alice" })),
    [`GET ${C1}/audience`]: () =>
      json({ readers: people("Alice"), has_more: false, uses_private_memory: false, private_replies: null }),
  });
  openChat();
  expect(await screen.findByRole("region", { name: "Read by Alice" }, { timeout: 10_000 })).toBeTruthy();
});

test.each([
  [["Bob"], false, "Read by Bob"],
  [["Bob", "Carol"], false, "Read by Bob and Carol"],
  [["Bob", "Carol", "Dave"], true, "Read by Bob and more than 2 others"],
])("%j are named", (names, hasMore, text) => {
  expect(texts.readers(names, hasMore)).toBe(text);
});

test("counts end at a thousand, and one reply is one", () => {
  expect(texts.privateReplies(1000)).toContain("1,000+ replies");
  expect(texts.privateReplies(1)).toBe(
    "1 reply used private memories; the people you share with can read it.",
  );
});
