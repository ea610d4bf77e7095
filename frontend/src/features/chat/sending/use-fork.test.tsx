import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { useLocation } from "react-router";
import type { Message } from "@/api/messages";
import { clearToasts } from "@/components/feedback/toast";
import { reread, waitingIn } from "@/lib/outbox";
import { finished, said, started } from "@/testing/messages";
import { json, serve, show } from "@/testing/render";
import { chat } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { answeredBy, type Forking, useForking } from "./use-fork";

const FORK = "POST /api/conversations/c1/fork";
const conversation = chat("c1", { title: "Plans", system_prompt: "Be brief." });

beforeEach(() => {
  reread();
  clearToasts();
});

function deed(run: (forking: Forking) => Promise<void>) {
  function Deed() {
    const forking = useForking(conversation);
    return (
      <>
        <button type="button" onClick={() => void run(forking)}>
          Do it
        </button>
        <p>{useLocation().pathname}</p>
      </>
    );
  }
  show(
    <InShell>
      <Deed />
    </InShell>,
  );
  return userEvent.click(screen.getByRole("button", { name: "Do it" }));
}

test("an edited message is said in a fork of all that came before it", async () => {
  const asked = serve({ [FORK]: () => json(chat("c2"), 201) });
  await deed((forking) => forking.resend(said({ index: 4 }), "Said anew"));
  expect(await screen.findByText("/c/c2")).toBeTruthy();
  expect(await asked[0]?.json()).toMatchObject({ through_index: 3, title: "Plans (2)" });
  expect(waitingIn("u1/w1/c2")).toMatchObject([{ content: "Said anew" }]);
});

test("before the first message there is nothing to fork: the conversation begins anew", async () => {
  const asked = serve({ "POST /api/conversations": () => json(chat("c2"), 201) });
  await deed((forking) => forking.resend(said({ index: 0 }), "Said anew"));
  expect(await screen.findByText("/c/c2")).toBeTruthy();
  expect(await asked[0]?.json()).toMatchObject({ title: "Plans (2)", system_prompt: "Be brief." });
});

test("a reply is regenerated in a fork through the message that it answers", async () => {
  const asked = serve({
    "GET /api/conversations/c1/messages": () =>
      json({ data: [said(), said({ index: 1, role: "assistant" })], next_cursor: null, has_more: false }),
    [FORK]: () => json(chat("c2"), 201),
    "POST /api/conversations/c2/turns/retry": () =>
      new Response(
        [started(), finished()]
          .map(({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
          .join(""),
      ),
  });
  await deed((forking) => forking.regenerate(said({ index: 1, role: "assistant" })));
  await screen.findByText("/c/c2");
  const forked = asked.find((one) => one.url.endsWith("/fork"));
  expect(await forked?.json()).toMatchObject({ through_index: 0 });
  await waitFor(() => expect(asked.some((one) => one.url.endsWith("/c2/turns/retry"))).toBe(true));
});

test("what a reply answers is the last message before it that was not left out", async () => {
  const messages: Message[] = [
    said({ index: 0 }),
    said({ index: 1, state: "excluded" }),
    said({ index: 2, role: "assistant", state: "excluded" }),
    said({ index: 3, role: "assistant" }),
  ];
  expect(await answeredBy(3, () => Promise.resolve(messages))).toBe(0);
});
