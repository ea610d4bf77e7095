import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { json, mockServer, renderInApp } from "@/testing/render";
import { Composer } from "./composer";

const LIMITS = {
  message_characters: 500,
  characters_per_token: 4,
  message_overhead_tokens: 4,
  character_sizes: [[0, 25]],
};

const noop = () => undefined;

beforeEach(() => {
  mockServer({ "GET /api/policy": () => json({ limits: LIMITS }) });
});

function renderComposer(changes: Partial<Parameters<typeof Composer>[0]> = {}) {
  return (
    <Composer draftKey="c1" placeholder="Reply" isWriting={false} onSend={noop} onStop={noop} {...changes} />
  );
}

const field = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });

test("Enter sends, Shift+Enter starts a new line", async () => {
  const user = userEvent.setup();
  const onSend = vi.fn();
  renderInApp(renderComposer({ onSend }));
  await user.type(field(), "One{Shift>}{Enter}{/Shift}two{Enter}");
  expect(onSend).toHaveBeenCalledExactlyOnceWith("One\ntwo");
  expect(field().value).toBe("");
});

test("an empty message cannot be sent, and the button says why", async () => {
  const user = userEvent.setup();
  const onSend = vi.fn();
  renderInApp(renderComposer({ onSend }));
  await user.type(field(), "  {Enter}");
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(onSend).not.toHaveBeenCalled();
  expect(screen.getByRole("button", { name: "Send" }).title).toBe("Write something first");
});

test("each conversation has its own draft", async () => {
  const user = userEvent.setup();
  const { unmount } = renderInApp(renderComposer());
  await user.type(field(), "Half a thought");
  unmount();
  const other = renderInApp(renderComposer({ draftKey: "c2" }));
  expect(field().value).toBe("");
  other.unmount();
  renderInApp(renderComposer());
  expect(field().value).toBe("Half a thought");
});

test("a sent message is removed from the draft", async () => {
  const user = userEvent.setup();
  const { unmount } = renderInApp(renderComposer());
  await user.type(field(), "Sent{Enter}");
  unmount();
  renderInApp(renderComposer());
  expect(field().value).toBe("");
});

test("the up arrow edits the last message only if the composer is empty", async () => {
  const user = userEvent.setup();
  const onEditLast = vi.fn();
  renderInApp(renderComposer({ onEditLast }));
  await user.type(field(), "text{ArrowUp}");
  expect(onEditLast).not.toHaveBeenCalled();
  await user.clear(field());
  await user.type(field(), "{ArrowUp}");
  expect(onEditLast).toHaveBeenCalledOnce();
});

test("the draft's size is shown as an estimate", async () => {
  const user = userEvent.setup();
  renderInApp(renderComposer());
  await user.type(field(), "x".repeat(40));
  expect(await screen.findByText("≈ 14 tokens")).toBeTruthy();
});

test("while a reply is written it can be stopped, and the composer stays usable", async () => {
  const user = userEvent.setup();
  const onStop = vi.fn();
  renderInApp(renderComposer({ isWriting: true, onStop }));
  await user.type(field(), "Meanwhile");
  await user.click(screen.getByRole("button", { name: "Stop" }));
  expect(onStop).toHaveBeenCalledOnce();
  expect(field().value).toBe("Meanwhile");
});

test("a text that is too long stays in the composer, with an explanation", async () => {
  const user = userEvent.setup();
  const onSend = vi.fn();
  renderInApp(renderComposer({ onSend }));
  await user.click(field());
  await user.paste("🙂".repeat(500));
  await screen.findByText("≈ 129 tokens");
  expect(screen.queryByRole("alert")).toBeNull();
  await user.paste("x");
  await user.keyboard("{Enter}");
  expect(onSend).not.toHaveBeenCalled();
  expect(screen.getByRole("alert").textContent).toContain("500 characters");
});
