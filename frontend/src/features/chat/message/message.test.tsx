import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { userMessage } from "@/testing/messages";
import { renderInApp } from "@/testing/render";
import { AS_MEMBER, me } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { ActionsContext, type MessageActions, NO_ACTIONS } from "../actions";
import { MessageView, type MessageProps } from "./message";

const noop = () => undefined;
const ALL_ACTIONS: MessageActions = {
  ...NO_ACTIONS,
  may: { change: true, fork: true, archive: true, delete: true, remember: true },
};
const reply = userMessage({ id: "r1", index: 83, role: "assistant", content: "An answer" });

function renderMessage(
  changes: Partial<MessageProps> = {},
  actions: Partial<MessageActions> = {},
  user = me(),
) {
  const props: MessageProps = {
    message: reply,
    author: "Assistant",
    total: 84,
    branches: undefined,
    isPinned: false,
    isCurrent: true,
    isHighlighted: false,
    isEdited: false,
    isNewest: true,
    isBroken: false,
    exclusionPreview: null,
    ...changes,
  };
  return renderInApp(
    <InShell me={user}>
      <ActionsContext value={{ ...ALL_ACTIONS, ...actions }}>
        <MessageView {...props} />
      </ActionsContext>
    </InShell>,
  );
}

test("a message shows its author, number and state", () => {
  renderMessage({ message: { ...reply, state: "compacted", token_count: 1431 }, isPinned: true });
  const article = screen.getByRole("article", { name: "Message 84, Assistant" });
  expect(article.dataset.messageIndex).toBe("83");
  expect(article.textContent).toContain("compacted, pinned");
  expect(article.textContent).toContain("1,431 tokens");
});

test.each([
  ["stopped", "Stopped. The text so far is saved."],
  ["interrupted", "The server restarted during this reply. The text so far is saved."],
  ["max_tokens", "Cut off at the model's limit. Ask it to continue."],
  ["resting", "The provider failed several times, so it's paused for a few minutes"],
  ["something_new", "This reply is incomplete. The text so far is saved."],
])("a reply that ended with %s says so", (errorCode, words) => {
  renderMessage({ message: { ...reply, status: "partial", error_code: errorCode } });
  expect(screen.getByText(words, { exact: false })).toBeTruthy();
});

test("a missing reply says where the message is, and can be retried", async () => {
  const user = userEvent.setup();
  const retry = vi.fn();
  renderMessage({ message: { ...reply, content: "", status: "failed", error_code: "timeout" } }, { retry });
  expect(screen.getByText(/The model didn't respond in time. Your message is saved as #83./)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(retry).toHaveBeenCalledOnce();
});

test("a reply blocked by a limit says until when, and links an admin to the limits", () => {
  const message = { ...reply, content: "", status: "failed", error_code: "ceiling" } as const;
  const { unmount } = renderMessage({ message });
  expect(screen.getByText(/^You've reached today's spending limit\. It resets at midnight UTC/)).toBeTruthy();
  expect(screen.getByText(/Your message is saved as #83\./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "View limits" }).getAttribute("href")).toBe("/settings/limits");
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  unmount();
  renderMessage({ message }, {}, me(AS_MEMBER));
  expect(screen.queryByRole("link", { name: "View limits" })).toBeNull();
});

test("only the newest reply can be regenerated", () => {
  renderMessage({ message: { ...reply, status: "partial", error_code: "stopped" }, isNewest: false });
  expect(screen.queryByRole("button", { name: "Retry reply" })).toBeNull();
});

test("while the connection is broken the reply explains what happens to it", () => {
  renderMessage({ message: { ...reply, status: "streaming" }, isBroken: true });
  expect(screen.getByRole("status").textContent).toContain("it loads when you're back online");
});

test("a user message is edited in place and sent to a fork", async () => {
  const user = userEvent.setup();
  const sendEdit = vi.fn();
  const message = userMessage({ content: "A question" });
  renderMessage({ message, author: "Alice", isEdited: true }, { sendEdit });
  const field = screen.getByRole("textbox", { name: "Edit your message" });
  expect(document.activeElement).toBe(field);
  await user.type(field, " anew{Enter}");
  expect(sendEdit).toHaveBeenCalledExactlyOnceWith(message, "A question anew", expect.any(Function));
});

test("Escape leaves the message unchanged", async () => {
  const user = userEvent.setup();
  const cancelEdit = vi.fn();
  renderMessage({ message: userMessage(), isEdited: true }, { cancelEdit });
  await user.keyboard("{Escape}");
  expect(cancelEdit).toHaveBeenCalledOnce();
});

test("reasoning and tool calls are collapsed", () => {
  renderMessage({
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

test("an image that was sent along is shown, and one elsewhere is named without being loaded", () => {
  renderMessage({
    message: {
      ...reply,
      parts: [
        { kind: "image", name: "cat.png", url: "data:image/png;base64,AAAA" },
        { kind: "image", url: "https://example.org/dog.png" },
        { kind: "file", name: "terms.pdf", url: "data:application/pdf;base64,AAAA" },
      ],
    },
  });
  expect(screen.getByAltText("Image cat.png").getAttribute("src")).toBe("data:image/png;base64,AAAA");
  expect(document.querySelectorAll("img")).toHaveLength(1);
  expect(screen.getByText("https://example.org/dog.png")).toBeTruthy();
  expect(screen.getByText("File terms.pdf")).toBeTruthy();
});

test("a very long text is truncated and can be expanded", async () => {
  const user = userEvent.setup();
  renderMessage({ message: userMessage({ content: "word word\n".repeat(10_000) }) });
  const before = screen.getByRole("article").textContent.length;
  await user.click(screen.getByRole("button", { name: "Show 96,001 more characters" }));
  expect(screen.getByRole("article").textContent.length).toBeGreaterThan(before + 90_000);
});

test("the buttons depend on the message", () => {
  const { unmount } = renderMessage({ message: userMessage({ state: "excluded" }), isPinned: true });
  const names = () => screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"));
  expect(names()).toEqual(["Copy", "Edit", "Fork from here", "Include again", "Unpin", "Delete…"]);
  unmount();
  renderMessage();
  expect(names()).toEqual(["Copy", "Regenerate", "Fork from here", "Exclude", "Pin", "Delete…"]);
});

test("a reader can only copy and fork", () => {
  const { unmount } = renderMessage(
    { message: { ...reply, status: "partial", error_code: "stopped" } },
    { may: { change: false, fork: true, archive: false, delete: false, remember: false } },
  );
  const names = () => screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"));
  expect(names()).toEqual(["Copy", "Fork from here"]);
  unmount();
  renderMessage(
    { message: userMessage() },
    { may: { change: false, fork: false, archive: false, delete: false, remember: false } },
  );
  expect(names()).toEqual(["Copy"]);
});

test("an edit survives unmounting", async () => {
  const user = userEvent.setup();
  const message = userMessage({ content: "A question" });
  const { unmount } = renderMessage({ message, isEdited: true });
  await user.type(screen.getByRole("textbox"), " half anew");
  unmount();
  renderMessage({ message, isEdited: true });
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("A question half anew");
});

test("an edit of another user of this browser is not shown", async () => {
  const user = userEvent.setup();
  const message = userMessage({ content: "A question" });
  const { unmount } = renderMessage({ message, isEdited: true });
  await user.type(screen.getByRole("textbox"), " half anew");
  unmount();
  const { user: alice } = me();
  renderMessage({ message, isEdited: true }, {}, me({ user: { ...alice, id: "u-other" } }));
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("A question");
});

test("the exclusion confirmation takes the focus once", async () => {
  const exclusionPreview = {
    changed: [],
    compacted: [],
    summary_lines: [{ field: "goals", text: "Ship" }],
  } as never;
  function GrowingMessage() {
    const [total, setTotal] = useState(84);
    const props = {
      message: reply,
      author: "Assistant",
      isPinned: false,
      isCurrent: true,
      isHighlighted: false,
      branches: undefined,
    };
    return (
      <InShell>
        <button onClick={() => setTotal(85)}>Grow</button>
        <ActionsContext value={ALL_ACTIONS}>
          <MessageView
            {...props}
            {...{ total, exclusionPreview }}
            isEdited={false}
            isNewest
            isBroken={false}
          />
        </ActionsContext>
      </InShell>
    );
  }
  renderInApp(<GrowingMessage />);
  expect(document.activeElement?.textContent).toBe("Exclude message");
  const grow = screen.getByRole("button", { name: "Grow" });
  await userEvent.click(grow);
  expect(document.activeElement).toBe(grow);
});

test("a cancelled edit is not stored", async () => {
  const user = userEvent.setup();
  const message = userMessage({ content: "A question" });
  const { unmount } = renderMessage({ message, isEdited: true });
  await user.type(screen.getByRole("textbox"), " half anew{Escape}");
  unmount();
  renderMessage({ message, isEdited: true });
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("A question");
});

test("a message that cannot be rendered is shown as plain text", () => {
  const errorLog = vi.spyOn(console, "error").mockImplementation(noop);
  renderMessage({ message: { ...reply, content: "As written", parts: null as never } });
  expect(screen.getByText("As written")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Copy" })).toBeTruthy();
  errorLog.mockRestore();
});

test("a token count shows its source", () => {
  const usage = { model: "m", input_tokens: 9000, output_tokens: 431, cache_read_tokens: 0 };
  const { unmount } = renderMessage({ message: { ...reply, token_count: 259 } });
  expect(screen.getByText(/^≈ 259 tokens/)).toBeTruthy();
  unmount();
  renderMessage({ message: { ...reply, token_count: 259, usage: { ...usage, source: "reported" } } });
  expect(screen.getByText(/^431 tokens, reported/)).toBeTruthy();
});

test("an exclusion lists the summary lines that it removes", async () => {
  const user = userEvent.setup();
  const [confirmExclude, cancelExclude] = [vi.fn(), vi.fn()];
  const preview = {
    changed: ["m0"],
    compacted: ["m0"],
    frees_tokens: 0,
    summary_lines: [{ field: "decisions" as const, text: "Money is minor units" }],
    pins: 0,
  };
  const message = userMessage({ state: "compacted" });
  renderMessage({ message, exclusionPreview: preview }, { confirmExclude, cancelExclude });
  expect(screen.getByRole("alert").textContent).toContain("Money is minor units");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Exclude message" }));
  await user.keyboard("{Enter}");
  expect(confirmExclude).toHaveBeenCalledExactlyOnceWith(message, preview);
  expect(document.activeElement).toBe(screen.getByRole("article"));
  screen.getByRole("button", { name: "Exclude message" }).focus();
  await user.keyboard("{Escape}");
  expect(cancelExclude).toHaveBeenCalledOnce();
});

test("deleting a message asks first, and calls the action once confirmed", async () => {
  const remove = vi.fn();
  const message = userMessage();
  renderMessage({ message }, { delete: remove });
  await userEvent.click(screen.getByRole("button", { name: "Delete…" }));
  expect(remove).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Delete permanently" }));
  expect(remove).toHaveBeenCalledWith(message, expect.any(Function));
});

test("a deleted message says so and offers only a fork", () => {
  renderMessage({ message: userMessage({ state: "deleted", content: "" }) });
  expect(screen.getByText("This message was permanently deleted.")).toBeTruthy();
  const names = screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"));
  expect(names).toEqual(["Fork from here"]);
});

test("only the owner of the chat can delete a message", () => {
  renderMessage({}, { may: { change: true, fork: true, archive: false, delete: false, remember: false } });
  expect(screen.queryByRole("button", { name: "Delete…" })).toBeNull();
});
