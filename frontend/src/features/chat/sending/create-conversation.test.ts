import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import { addUnsent, reloadOutbox, unsentIn } from "@/lib/outbox";
import { json, mockServer } from "@/testing/render";
import { chat, me } from "@/testing/samples";
import { createConversationFromOutbox, newBox, titleOf, subscribeToCreated } from "./create-conversation";

const CONVERSATIONS = "POST /api/conversations";

beforeEach(reloadOutbox);

test("the title is the beginning of the first message", () => {
  expect(titleOf("  Move `billing`\nto **PostgreSQL** ")).toBe("Move billing to PostgreSQL");
  const long = titleOf("How do we backfill the lines of all invoices without locking anything at all?");
  expect(long).toBe("How do we backfill the lines of all invoices without…");
});

test.each([
  ["Plan <private>my divorce</private> in May", "Plan in May"],
  ["<Private>a <PRIVATE>b</private> c</private >Open the shop", "Open the shop"],
  ["Plan the move < private >to my lover", "Plan the move"],
  ["<private reason='x'>all of it</private>", ""],
  ["Is </private> or <privateer> a tag?", "Is </private or <privateer a tag?"],
])("private parts are not in the title: %s", (content, title) => {
  expect(titleOf(content)).toBe(title);
});

test("the conversation is created once, gets the waiting messages, and subscribers are notified", async () => {
  const requests = mockServer({ [CONVERSATIONS]: () => json(chat("c1"), 201) });
  const { externalId } = addUnsent(newBox(me()), "Hello");
  const client = new QueryClient();
  const subscriber = vi.fn();
  const unsubscribe = subscribeToCreated(subscriber);
  await Promise.all([createConversationFromOutbox(client, me()), createConversationFromOutbox(client, me())]);
  unsubscribe();
  expect(subscriber).toHaveBeenCalledExactlyOnceWith("c1");
  expect(requests).toHaveLength(1);
  expect(await requests[0]?.json()).toMatchObject({ title: "Hello", external_id: externalId });
  expect(unsentIn("u1/w1/c1")).toMatchObject([{ externalId }]);
});

test("offline, the message waits for its conversation", async () => {
  mockServer({
    [CONVERSATIONS]: () => {
      throw new TypeError("Failed to fetch");
    },
  });
  addUnsent(newBox(me()), "Hello");
  await createConversationFromOutbox(new QueryClient(), me());
  expect(unsentIn(newBox(me()))).toMatchObject([{ content: "Hello", delay: "connection" }]);
});
