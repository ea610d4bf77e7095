import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { useLocation } from "react-router";
import type { Message } from "@/api/messages";
import { clearToasts } from "@/components/feedback/toast";
import { reloadOutbox, unsentIn } from "@/lib/outbox";
import { finished, userMessage, started } from "@/testing/messages";
import { json, mockServer, renderInApp } from "@/testing/render";
import { chat } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { promptIndexOf, type MessageForkActions, useMessageFork } from "./use-fork";

const FORK = "POST /api/conversations/c1/fork";
const conversation = chat("c1", { title: "Plans", system_prompt: "Be brief." });

beforeEach(() => {
  reloadOutbox();
  clearToasts();
});

function runAction(run: (forking: MessageForkActions) => Promise<void>) {
  function ForkButton() {
    const forking = useMessageFork(conversation);
    return (
      <>
        <button type="button" onClick={() => void run(forking)}>
          Do it
        </button>
        <p>{useLocation().pathname}</p>
      </>
    );
  }
  renderInApp(
    <InShell>
      <ForkButton />
    </InShell>,
  );
  return userEvent.click(screen.getByRole("button", { name: "Do it" }));
}

test("an edited message is sent in a fork of everything before it", async () => {
  const requests = mockServer({ [FORK]: () => json(chat("c2"), 201) });
  await runAction((forking) => forking.resend(userMessage({ index: 4 }), "Said anew"));
  expect(await screen.findByText("/c/c2")).toBeTruthy();
  expect(await requests[0]?.json()).toMatchObject({ through_index: 3, title: "Plans (2)" });
  expect(unsentIn("u1/w1/c2")).toMatchObject([{ content: "Said anew" }]);
});

test("the first message is edited in a fork without messages", async () => {
  const requests = mockServer({ [FORK]: () => json(chat("c2"), 201) });
  await runAction((forking) => forking.resend(userMessage({ index: 0 }), "Said anew"));
  expect(await screen.findByText("/c/c2")).toBeTruthy();
  expect(await requests[0]?.json()).toEqual({ title: "Plans (2)", through_index: null });
});

test("a reply is regenerated in a fork that ends with its prompt", async () => {
  const requests = mockServer({
    "GET /api/conversations/c1/messages": () =>
      json({
        data: [userMessage(), userMessage({ index: 1, role: "assistant" })],
        next_cursor: null,
        has_more: false,
      }),
    [FORK]: () => json(chat("c2"), 201),
    "POST /api/conversations/c2/turns/retry": () =>
      new Response(
        [started(), finished()]
          .map(({ name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
          .join(""),
      ),
  });
  await runAction((forking) => forking.regenerate(userMessage({ index: 1, role: "assistant" })));
  await screen.findByText("/c/c2");
  const forked = requests.find((one) => one.url.endsWith("/fork"));
  expect(await forked?.json()).toMatchObject({ through_index: 0 });
  await waitFor(() => expect(requests.some((one) => one.url.endsWith("/c2/turns/retry"))).toBe(true));
});

test("the prompt of a reply is the last message before it that is not excluded", async () => {
  const messages: Message[] = [
    userMessage({ index: 0 }),
    userMessage({ index: 1, state: "excluded" }),
    userMessage({ index: 2, role: "assistant", state: "excluded" }),
    userMessage({ index: 3, role: "assistant" }),
  ];
  expect(await promptIndexOf(3, () => Promise.resolve(messages))).toBe(0);
});
