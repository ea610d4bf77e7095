import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test } from "vitest";
import { put, reread, waitingIn } from "@/lib/outbox";
import { json, serve } from "@/testing/render";
import { chat, me } from "@/testing/samples";
import { beginConversation, newBox, titleOf } from "./beginning";

const CONVERSATIONS = "POST /api/conversations";

beforeEach(reread);

test("the title is the message's first words", () => {
  expect(titleOf("  Move `billing`\nto **PostgreSQL** ")).toBe("Move billing to PostgreSQL");
  const long = titleOf("How do we backfill the lines of all invoices without locking anything at all?");
  expect(long).toBe("How do we backfill the lines of all invoices without…");
});

test("the conversation is made once, and what waited goes into it", async () => {
  const asked = serve({ [CONVERSATIONS]: () => json(chat("c1"), 201) });
  const { externalId } = put(newBox(me()), "Hello");
  const client = new QueryClient();
  const ids = await Promise.all([beginConversation(client, me()), beginConversation(client, me())]);
  expect(ids).toEqual(["c1", "c1"]);
  expect(asked).toHaveLength(1);
  expect(await asked[0]?.json()).toMatchObject({ title: "Hello", external_id: externalId });
  expect(waitingIn("u1/c1")).toMatchObject([{ externalId }]);
});

test("without a connection the message waits for its conversation", async () => {
  serve({
    [CONVERSATIONS]: () => {
      throw new TypeError("Failed to fetch");
    },
  });
  put(newBox(me()), "Hello");
  expect(await beginConversation(new QueryClient(), me())).toBeNull();
  expect(waitingIn(newBox(me()))).toMatchObject([{ content: "Hello", delayed: true }]);
});
