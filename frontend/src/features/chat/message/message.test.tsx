import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { said } from "@/testing/messages";
import { show } from "@/testing/render";
import { ActionsContext, type MessageActions } from "../actions";
import { MessageView, type MessageProps } from "./message";

const nothing = () => undefined;
const actions: MessageActions = {
  pin: nothing,
  exclude: nothing,
  copy: nothing,
  edit: nothing,
  cancelEdit: nothing,
  sendEdit: nothing,
  regenerate: nothing,
  fork: nothing,
  retry: nothing,
  undoCompaction: nothing,
  stopCompaction: nothing,
  compare: undefined,
  discard: nothing,
  takeBack: nothing,
};
const reply = said({ id: "r1", index: 83, role: "assistant", content: "An answer" });

function view(changes: Partial<MessageProps> = {}, deeds: Partial<MessageActions> = {}) {
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
    errorCode: "",
    ...changes,
  };
  return show(
    <ActionsContext value={{ ...actions, ...deeds }}>
      <MessageView {...props} />
    </ActionsContext>,
  );
}

test("a message says who, which and in which state", () => {
  view({ message: { ...reply, state: "folded", token_count: 1431 }, isPinned: true });
  const article = screen.getByRole("article", { name: "Message 83, Assistant" });
  expect(article.dataset.messageIndex).toBe("83");
  expect(article.textContent).toContain("compacted, pinned");
  expect(article.textContent).toContain("1,431 tokens");
});

test.each([
  ["stopped", "Stopped. What was written is kept."],
  ["interrupted", "The server restarted in the middle of this reply. What was written is kept."],
  ["max_tokens", "Cut at the model's limit. Ask it to go on to read the rest."],
  ["something_new", "This reply is not complete. What was written is kept."],
])("a reply that ended by %s says so", (errorCode, words) => {
  view({ message: { ...reply, status: "partial" }, errorCode });
  expect(screen.getByText(words, { exact: false })).toBeTruthy();
});

test("a reply that did not come says where the message is, and can be asked for again", async () => {
  const user = userEvent.setup();
  const retry = vi.fn();
  view({ message: { ...reply, content: "", status: "failed" }, errorCode: "timeout" }, { retry });
  expect(screen.getByText(/The model did not answer in time. Your message is saved as #82./)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(retry).toHaveBeenCalledOnce();
});

test("only the newest reply is written again", () => {
  view({ message: { ...reply, status: "partial" }, errorCode: "stopped", isNewest: false });
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
  expect(sendEdit).toHaveBeenCalledExactlyOnceWith(message, "A question anew");
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
