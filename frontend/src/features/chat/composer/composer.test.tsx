import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { json, serve, show } from "@/testing/render";
import { Composer } from "./composer";

const LIMITS = { message_characters: 500, characters_per_token: 4, message_overhead_tokens: 4 };

const nothing = () => undefined;

beforeEach(() => {
  serve({ "GET /api/policy": () => json({ limits: LIMITS }) });
});

function composer(changes: Partial<Parameters<typeof Composer>[0]> = {}) {
  return (
    <Composer
      place="c1"
      placeholder="Reply"
      isWriting={false}
      onSend={nothing}
      onStop={nothing}
      {...changes}
    />
  );
}

const field = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });

test("Enter sends, Shift and Enter begin a new line", async () => {
  const user = userEvent.setup();
  const onSend = vi.fn();
  show(composer({ onSend }));
  await user.type(field(), "One{Shift>}{Enter}{/Shift}two{Enter}");
  expect(onSend).toHaveBeenCalledExactlyOnceWith("One\ntwo");
  expect(field().value).toBe("");
});

test("nothing is not sent, and the button says why", async () => {
  const user = userEvent.setup();
  const onSend = vi.fn();
  show(composer({ onSend }));
  await user.type(field(), "  {Enter}");
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(onSend).not.toHaveBeenCalled();
  expect(screen.getByRole("button", { name: "Send" }).title).toBe("Write something first");
});

test("a draft is kept for its conversation", async () => {
  const user = userEvent.setup();
  const { unmount } = show(composer());
  await user.type(field(), "Half a thought");
  unmount();
  const other = show(composer({ place: "c2" }));
  expect(field().value).toBe("");
  other.unmount();
  show(composer());
  expect(field().value).toBe("Half a thought");
});

test("what was sent is no draft any more", async () => {
  const user = userEvent.setup();
  const { unmount } = show(composer());
  await user.type(field(), "Sent{Enter}");
  unmount();
  show(composer());
  expect(field().value).toBe("");
});

test("the arrow up edits the last message only from an empty box", async () => {
  const user = userEvent.setup();
  const onEditLast = vi.fn();
  show(composer({ onEditLast }));
  await user.type(field(), "text{ArrowUp}");
  expect(onEditLast).not.toHaveBeenCalled();
  await user.clear(field());
  await user.type(field(), "{ArrowUp}");
  expect(onEditLast).toHaveBeenCalledOnce();
});

test("the size of the draft is an estimate", async () => {
  const user = userEvent.setup();
  show(composer());
  await user.type(field(), "x".repeat(40));
  expect(await screen.findByText("≈ 14 tokens")).toBeTruthy();
});

test("while a reply is written one can stop it and go on writing", async () => {
  const user = userEvent.setup();
  const onStop = vi.fn();
  show(composer({ isWriting: true, onStop }));
  await user.type(field(), "Meanwhile");
  await user.click(screen.getByRole("button", { name: "Stop" }));
  expect(onStop).toHaveBeenCalledOnce();
  expect(field().value).toBe("Meanwhile");
});

test("a text that is too long is kept, and said to be", async () => {
  const user = userEvent.setup();
  const onSend = vi.fn();
  show(composer({ onSend }));
  await user.click(field());
  await user.paste("🙂".repeat(500));
  await screen.findByText("≈ 129 tokens");
  expect(screen.queryByRole("alert")).toBeNull();
  await user.paste("x");
  await user.keyboard("{Enter}");
  expect(onSend).not.toHaveBeenCalled();
  expect(screen.getByRole("alert").textContent).toContain("500 characters");
});
