import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { clearToasts } from "@/components/feedback/toast";
import { json, mockServer, renderInApp } from "@/testing/render";
import { chat } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { ChatHeader } from "./chat-header";
import { asMarkdown } from "./header/export";
import { userMessage } from "@/testing/messages";

const C1 = "/api/conversations/c1";

beforeEach(clearToasts);

function renderHeader(openList = () => undefined) {
  return renderInApp(
    <InShell openList={openList}>
      <ChatHeader id="c1" view={null} pill={<span>Healthy</span>} />
    </InShell>,
  );
}

test("the title is edited in place, with the version that the user saw", async () => {
  const requests = mockServer({
    [`GET ${C1}`]: () => json(chat("c1", { title: "Old", version: 7 })),
    [`PATCH ${C1}`]: () => json(chat("c1", { title: "New", version: 8 })),
  });
  const user = userEvent.setup();
  renderHeader();
  await user.click(await screen.findByRole("button", { name: "Old" }));
  await user.clear(screen.getByRole("textbox", { name: "Title" }));
  await user.type(screen.getByRole("textbox", { name: "Title" }), "New{Enter}");
  expect(await screen.findByRole("button", { name: "New" })).toBeTruthy();
  const change = requests.find((one) => one.method === "PATCH");
  expect(change?.headers.get("If-Match")).toBe('"7"');
});

test("a title that could not be saved stays in its field", async () => {
  mockServer({
    [`GET ${C1}`]: () => json(chat("c1", { title: "Old", version: 7 })),
    [`PATCH ${C1}`]: () => json({ code: "overloaded" }, 503),
  });
  const user = userEvent.setup();
  renderHeader();
  await user.click(await screen.findByRole("button", { name: "Old" }));
  await user.clear(screen.getByRole("textbox", { name: "Title" }));
  await user.type(screen.getByRole("textbox", { name: "Title" }), "New{Enter}");
  expect(await screen.findByText(/Something went wrong on the server/)).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Title" }).value).toBe("New");
});

test("a title that somebody else changed is shown before it is overwritten", async () => {
  let current = chat("c1", { title: "Old", version: 7 });
  const requests = mockServer({
    [`GET ${C1}`]: () => json(current),
    [`PATCH ${C1}`]: (request) =>
      request.headers.get("If-Match") === `"${current.version}"`
        ? json({ ...current, title: "Mine", version: 9 })
        : json({ code: "stale" }, 412),
  });
  const user = userEvent.setup();
  renderHeader();
  await user.click(await screen.findByRole("button", { name: "Old" }));
  current = chat("c1", { title: "Theirs", version: 8 });
  await user.clear(screen.getByRole("textbox", { name: "Title" }));
  await user.type(screen.getByRole("textbox", { name: "Title" }), "Mine{Enter}");
  expect(await screen.findByText(/Someone renamed it to “Theirs”/)).toBeTruthy();
  await user.type(screen.getByRole("textbox", { name: "Title" }), "{Enter}");
  const button = await screen.findByRole("button", { name: "Mine" });
  expect(document.activeElement).toBe(button);
  const changes = requests.filter((one) => one.method === "PATCH");
  expect(changes.map((one) => one.headers.get("If-Match"))).toEqual(['"7"', '"8"']);
});

test("a reader cannot rename or archive, but fork", async () => {
  mockServer({ [`GET ${C1}`]: () => json(chat("c1", { title: "Theirs", owner_id: "u2", access: "read" })) });
  renderHeader();
  expect(await screen.findByRole("heading", { name: "Theirs" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Theirs" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Chat actions" }));
  const items = (await screen.findAllByRole("menuitem")).map((one) => one.textContent);
  expect(items).toEqual(["Copy link", "Fork the whole chat", "Export as Markdown"]);
});

test("only the owner can archive", async () => {
  mockServer({ [`GET ${C1}`]: () => json(chat("c1", { owner_id: "u2", access: "write" })) });
  renderHeader();
  await userEvent.click(await screen.findByRole("button", { name: "Chat actions" }));
  expect(await screen.findByRole("menuitem", { name: "Rename" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "Archive" })).toBeNull();
});

test("Escape leaves the title unchanged", async () => {
  const requests = mockServer({ [`GET ${C1}`]: () => json(chat("c1", { title: "Old" })) });
  const user = userEvent.setup();
  renderHeader();
  await user.click(await screen.findByRole("button", { name: "Old" }));
  await user.type(screen.getByRole("textbox", { name: "Title" }), "New{Escape}");
  expect(await screen.findByRole("button", { name: "Old" })).toBeTruthy();
  expect(requests.every((one) => one.method === "GET")).toBe(true);
});

test("archiving can be undone", async () => {
  let version = 1;
  const requests = mockServer({
    [`GET ${C1}`]: () => json(chat("c1")),
    [`PATCH ${C1}`]: () => json(chat("c1", { version: ++version })),
  });
  const user = userEvent.setup();
  renderHeader();
  await user.click(await screen.findByRole("button", { name: "Chat actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Archive" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(requests.filter((one) => one.method === "PATCH")).toHaveLength(2));
  const changes = requests.filter((one) => one.method === "PATCH");
  expect(await Promise.all(changes.map((one) => one.json()))).toEqual([
    { archived: true },
    { archived: false },
  ]);
  expect(changes.map((one) => one.headers.get("If-Match"))).toEqual(['"1"', '"2"']);
});

test("on small screens the header opens the conversation list", async () => {
  mockServer({ [`GET ${C1}`]: () => json(chat("c1")) });
  const openList = vi.fn();
  renderHeader(openList);
  await userEvent.click(screen.getByRole("button", { name: "Open the list of chats" }));
  expect(openList).toHaveBeenCalledOnce();
});

test("a chat can be exported as Markdown", () => {
  const text = asMarkdown("Plans", [
    userMessage(),
    userMessage({ index: 1, role: "assistant", content: "**Yes**" }),
  ]);
  expect(text).toContain("# Plans\n\n## #1 User, 2026-11-20T10:00:00Z\n\nA question");
  expect(text).toContain("## #2 Assistant");
});
