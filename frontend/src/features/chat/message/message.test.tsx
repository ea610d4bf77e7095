import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { said } from "@/testing/messages";
import { show } from "@/testing/render";
import { AS_MEMBER, me } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { ActionsContext, type MessageActions, NO_ACTIONS } from "../actions";
import { MessageView, type MessageProps } from "./message";

const nothing = () => undefined;
const actions: MessageActions = { ...NO_ACTIONS, may: { change: true, fork: true, archive: true } };
const reply = said({ id: "r1", index: 83, role: "assistant", content: "An answer" });

function view(changes: Partial<MessageProps> = {}, deeds: Partial<MessageActions> = {}, who = me()) {
  const props: MessageProps = {
    message: reply,
    author: "Assistant",
    total: 84,
    isPinned: false,
    isCurrent: true,
    isFramed: false,
    isEdited: false,
    isNewest: true,
    isBroken: false,
    asked: null,
    ...changes,
  };
  return show(
    <InShell me={who}>
      <ActionsContext value={{ ...actions, ...deeds }}>
        <MessageView {...props} />
      </ActionsContext>
    </InShell>,
  );
}

test("a message says who, which and in which state", () => {
  view({ message: { ...reply, state: "compacted", token_count: 1431 }, isPinned: true });
  const article = screen.getByRole("article", { name: "Message 83, Assistant" });
  expect(article.dataset.messageIndex).toBe("83");
  expect(article.textContent).toContain("compacted, pinned");
  expect(article.textContent).toContain("1,431 tokens");
});

test.each([
  ["stopped", "Stopped. What was written is kept."],
  ["interrupted", "The server restarted in the middle of this reply. What was written is kept."],
  ["max_tokens", "Cut at the model's limit. Ask it to go on to read the rest."],
  ["resting", "The model’s provider failed several times in a row and is left alone for a few minutes."],
  ["something_new", "This reply is not complete. What was written is kept."],
])("a reply that ended by %s says so", (errorCode, words) => {
  view({ message: { ...reply, status: "partial", error_code: errorCode } });
  expect(screen.getByText(words, { exact: false })).toBeTruthy();
});

test("a reply that did not come says where the message is, and can be asked for again", async () => {
  const user = userEvent.setup();
  const retry = vi.fn();
  view({ message: { ...reply, content: "", status: "failed", error_code: "timeout" } }, { retry });
  expect(screen.getByText(/The model did not answer in time. Your message is saved as #82./)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(retry).toHaveBeenCalledOnce();
});

test("a reply that a limit kept from coming says until when, and leads who may change it to the limits", () => {
  const message = { ...reply, content: "", status: "failed", error_code: "ceiling" } as const;
  const { unmount } = view({ message });
  expect(
    screen.getByText(/^Today’s limit for models is reached\. It goes on after midnight UTC/),
  ).toBeTruthy();
  expect(screen.getByText(/Your message is saved as #82\./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Look at the limits" }).getAttribute("href")).toBe(
    "/settings/limits",
  );
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  unmount();
  view({ message }, {}, me(AS_MEMBER));
  expect(screen.queryByRole("link", { name: "Look at the limits" })).toBeNull();
});

test("only the newest reply is written again", () => {
  view({ message: { ...reply, status: "partial", error_code: "stopped" }, isNewest: false });
  expect(screen.queryByRole("button", { name: "Write it again" })).toBeNull();
});

test("while the connection is broken the reply says what becomes of it", () => {
  view({ message: { ...reply, status: "streaming" }, isBroken: true });
  expect(screen.getByRole("status").textContent).toContain("it is fetched when you are back");
});

test("one's own message is edited in its place, and sent into a fork", async () => {
  const user = userEvent.setup();
  const sendEdit = vi.fn();
  const message = said({ content: "A question" });
  view({ message, author: "Alice", isEdited: true }, { sendEdit });
  const field = screen.getByRole("textbox", { name: "Edit your message" });
  expect(document.activeElement).toBe(field);
  await user.type(field, " anew{Enter}");
  expect(sendEdit).toHaveBeenCalledExactlyOnceWith(message, "A question anew", expect.any(Function));
});

test("Escape leaves the message as it was", async () => {
  const user = userEvent.setup();
  const cancelEdit = vi.fn();
  view({ message: said(), isEdited: true }, { cancelEdit });
  await user.keyboard("{Escape}");
  expect(cancelEdit).toHaveBeenCalledOnce();
});

test("what the model thought and called is folded away", () => {
  view({
    message: {
      ...reply,
      parts: [
        { kind: "reasoning", text: "Let me think.", tokens: 120 },
        { kind: "tool_call", name: "search", call_id: "t1", text: '{"q":"x"}' },
      ],
    },
  });
  expect(screen.getByText("Reasoning, 120 tokens").closest("details")?.open).toBe(false);
  expect(screen.getByText("Called search")).toBeTruthy();
});

test("a very long text is shown in part, and whole when asked", async () => {
  const user = userEvent.setup();
  view({ message: said({ content: "word word\n".repeat(10_000) }) });
  const before = screen.getByRole("article").textContent.length;
  await user.click(screen.getByRole("button", { name: "Show the other 96,001 characters" }));
  expect(screen.getByRole("article").textContent.length).toBeGreaterThan(before + 90_000);
});

test("the buttons fit the message", () => {
  const { unmount } = view({ message: said({ state: "excluded" }), isPinned: true });
  const names = () => screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"));
  expect(names()).toEqual(["Copy", "Edit", "Fork from here", "Include again", "Unpin"]);
  unmount();
  view();
  expect(names()).toEqual(["Copy", "Regenerate", "Fork from here", "Exclude", "Pin"]);
});

test("who may only read can copy and fork, and no more", () => {
  const { unmount } = view(
    { message: { ...reply, status: "partial", error_code: "stopped" } },
    { may: { change: false, fork: true, archive: false } },
  );
  const names = () => screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"));
  expect(names()).toEqual(["Copy", "Fork from here"]);
  unmount();
  view({ message: said() }, { may: { change: false, fork: false, archive: false } });
  expect(names()).toEqual(["Copy"]);
});

test("an edit outlives its place in the page", async () => {
  const user = userEvent.setup();
  const message = said({ content: "A question" });
  const { unmount } = view({ message, isEdited: true });
  await user.type(screen.getByRole("textbox"), " half anew");
  unmount();
  view({ message, isEdited: true });
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("A question half anew");
});

test("an edit of somebody else at this browser is not shown", async () => {
  const user = userEvent.setup();
  const message = said({ content: "A question" });
  const { unmount } = view({ message, isEdited: true });
  await user.type(screen.getByRole("textbox"), " half anew");
  unmount();
  const { user: alice } = me();
  view({ message, isEdited: true }, {}, me({ user: { ...alice, id: "u-other" } }));
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("A question");
});

test("the question about lines that go takes the focus once", async () => {
  const asked = { changed: [], compacted: [], summary_lines: [{ field: "goals", text: "Ship" }] } as never;
  function Growing() {
    const [total, setTotal] = useState(84);
    const props = { message: reply, author: "Assistant", isPinned: false, isCurrent: true, isFramed: false };
    return (
      <InShell>
        <button onClick={() => setTotal(85)}>Grow</button>
        <ActionsContext value={actions}>
          <MessageView {...props} {...{ total, asked }} isEdited={false} isNewest isBroken={false} />
        </ActionsContext>
      </InShell>
    );
  }
  show(<Growing />);
  expect(document.activeElement?.textContent).toBe("Exclude message");
  const grow = screen.getByRole("button", { name: "Grow" });
  await userEvent.click(grow);
  expect(document.activeElement).toBe(grow);
});

test("an edit that was given up is not kept", async () => {
  const user = userEvent.setup();
  const message = said({ content: "A question" });
  const { unmount } = view({ message, isEdited: true });
  await user.type(screen.getByRole("textbox"), " half anew{Escape}");
  unmount();
  view({ message, isEdited: true });
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("A question");
});

test("what cannot be drawn stands as it was written, and the rest of the page stays", () => {
  const silenced = vi.spyOn(console, "error").mockImplementation(nothing);
  view({ message: { ...reply, content: "As written", parts: null as never } });
  expect(screen.getByText("As written")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Copy" })).toBeTruthy();
  silenced.mockRestore();
});

test("a number says where it comes from", () => {
  const usage = { model: "m", input_tokens: 9000, output_tokens: 431, cache_read_tokens: 0 };
  const { unmount } = view({ message: { ...reply, token_count: 259 } });
  expect(screen.getByText(/^259 tokens, counted/)).toBeTruthy();
  unmount();
  view({ message: { ...reply, token_count: 259, usage: { ...usage, source: "reported" } } });
  expect(screen.getByText(/^431 tokens, reported/)).toBeTruthy();
});

test("before a message goes, the lines of the summary that go with it are named", async () => {
  const user = userEvent.setup();
  const [confirmExclude, cancelExclude] = [vi.fn(), vi.fn()];
  const preview = {
    changed: ["m0"],
    compacted: ["m0"],
    frees_tokens: 0,
    summary_lines: [{ field: "decisions" as const, text: "Money is minor units" }],
    pins: 0,
  };
  const message = said({ state: "compacted" });
  view({ message, asked: preview }, { confirmExclude, cancelExclude });
  expect(screen.getByRole("alert").textContent).toContain("Money is minor units");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Exclude message" }));
  await user.keyboard("{Enter}");
  expect(confirmExclude).toHaveBeenCalledExactlyOnceWith(message, preview);
  expect(document.activeElement).toBe(screen.getByRole("article"));
  screen.getByRole("button", { name: "Exclude message" }).focus();
  await user.keyboard("{Escape}");
  expect(cancelExclude).toHaveBeenCalledOnce();
});
