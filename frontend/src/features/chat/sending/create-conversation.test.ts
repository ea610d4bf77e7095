import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import { put, reread, waitingIn } from "@/lib/outbox";
import { json, serve } from "@/testing/render";
import { chat, me } from "@/testing/samples";
import { beginConversation, newBox, titleOf, watchBeginnings } from "./create-conversation";

const CONVERSATIONS = "POST /api/conversations";

beforeEach(reread);

test("the title is the message's first words", () => {
  expect(titleOf("  Move `billing`\nto **PostgreSQL** ")).toBe("Move billing to PostgreSQL");
  const long = titleOf("How do we backfill the lines of all invoices without locking anything at all?");
  expect(long).toBe("How do we backfill the lines of all invoices without…");
});

test("the conversation is made once, what waited goes into it, and who listens hears of it", async () => {
  const asked = serve({ [CONVERSATIONS]: () => json(chat("c1"), 201) });
  const { externalId } = put(newBox(me()), "Hello");
  const client = new QueryClient();
  const heard = vi.fn();
  const deaf = watchBeginnings(heard);
  await Promise.all([beginConversation(client, me()), beginConversation(client, me())]);
  deaf();
  expect(heard).toHaveBeenCalledExactlyOnceWith("c1");
  expect(asked).toHaveLength(1);
  expect(await asked[0]?.json()).toMatchObject({ title: "Hello", external_id: externalId });
  expect(waitingIn("u1/w1/c1")).toMatchObject([{ externalId }]);
});

test("without a connection the message waits for its conversation", async () => {
  serve({
    [CONVERSATIONS]: () => {
      throw new TypeError("Failed to fetch");
    },
  });
  put(newBox(me()), "Hello");
  await beginConversation(new QueryClient(), me());
  expect(waitingIn(newBox(me()))).toMatchObject([{ content: "Hello", delay: "connection" }]);
});
