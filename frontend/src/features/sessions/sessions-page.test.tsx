import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes, useLocation } from "react-router";
import { expect, test, vi } from "vitest";
import type { Session, SessionDetail } from "@/api/sessions";
import { json, mockServer, renderInApp } from "@/testing/render";
import { page } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import SessionsPage from "./sessions-page";

const AGENT: NonNullable<Session["agent"]> = {
  client: "claude-code",
  project: "shop",
  cwd: "/home/alice/shop",
  model: "claude-opus-5",
  started_at: "2026-11-25T10:00:00Z",
  last_event_at: "2026-11-25T10:10:00Z",
  ended_at: null,
  end_reason: "",
  prompt_count: 5,
  tool_count: 30,
};
const SESSION: Session = {
  id: "s1",
  external_id: "7f3a",
  title: "Fix the cart",
  message_count: 70,
  token_total: 4000,
  temporary: false,
  access: "owner",
  archived_at: null,
  active_at: "2026-11-25T10:10:00Z",
  created_at: "2026-11-25T10:00:00Z",
  agent: AGENT,
  archive: null,
};
const LINKS = { conversation: "", messages: "", memories: "", session_context: "", observations: "" };
const DETAIL: SessionDetail = {
  ...SESSION,
  archive: null,
  memories: [],
  has_more_memories: false,
  links: LINKS,
};
const MESSAGES = [
  {
    id: "m0",
    index: 0,
    role: "user",
    content: "The cart rounds wrongly.",
    parts: [],
    state: "live",
    created_at: "2026-11-25T10:00:01Z",
  },
];
const EDIT = {
  id: "o1",
  kind: "tool_failure",
  tool_name: "Edit",
  title: "Edit cart.py",
  digest: "No such file",
  files: ["app/cart.py"],
  is_error: true,
  agent_id: "",
  message_id: null,
  details: {},
  occurred_at: "2026-11-25T10:00:02Z",
};

function CurrentPath() {
  const { pathname, search } = useLocation();
  return (
    <p>
      at {pathname}
      {search}
    </p>
  );
}

function open(path: string, answers: Parameters<typeof mockServer>[0] = {}, setDrawerOpen = () => undefined) {
  const requests = mockServer({
    "GET /api/inbox/count": () => json({ waiting: 0 }),
    "GET /api/sessions": () => json(page([SESSION])),
    "GET /api/sessions/s1": () => json(DETAIL),
    "GET /api/conversations/s1/messages": () => json({ data: MESSAGES }),
    "GET /api/sessions/s1/observations": () => json(page([EDIT])),
    ...answers,
  });
  renderInApp(
    <InShell setDrawerOpen={setDrawerOpen}>
      <Routes>
        <Route path="/sessions/*" element={<SessionsPage />} />
        <Route path="*" element={<CurrentPath />} />
      </Routes>
    </InShell>,
    path,
  );
  return requests;
}

test("the list shows agents' sessions with project, agent, counts and state", async () => {
  open("/sessions");
  const row = within((await screen.findByText("Fix the cart")).closest("li") as HTMLElement);
  expect(row.getByText(/shop · Claude Code · 5 prompts, 30 tool calls/)).toBeTruthy();
  expect(row.getByText("Running")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Sessions" }).getAttribute("aria-current")).toBe("page");
});

test("the filter asks for chats", async () => {
  const chat = { ...SESSION, id: "s2", title: "Plans", agent: null, message_count: 4 };
  open("/sessions", {
    "GET /api/sessions": ({ url }) => json(page(url.includes("kind=chat") ? [chat] : [SESSION])),
  });
  await screen.findByText("Fix the cart");
  await userEvent.click(screen.getByRole("radio", { name: "Chats" }));
  expect(await screen.findByText("Plans")).toBeTruthy();
  expect(screen.getByText(/^4 messages · active/)).toBeTruthy();
});

test("without sessions the page leads to the agents' settings", async () => {
  open("/sessions", { "GET /api/sessions": () => json(page([])) });
  await userEvent.click(await screen.findByRole("link", { name: "Connect an agent" }));
  expect(await screen.findByText("at /settings/agents")).toBeTruthy();
});

test("older sessions are loaded on request", async () => {
  const older = { ...SESSION, id: "s0", title: "The week before" };
  open("/sessions", {
    "GET /api/sessions": ({ url }) =>
      json(url.includes("cursor=next") ? page([older]) : page([SESSION], "next")),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Show older sessions" }));
  expect(await screen.findByText("The week before")).toBeTruthy();
  expect(screen.getByText("Fix the cart")).toBeTruthy();
});

test("the page of a session tells prompts and tools, which open to their digest", async () => {
  open("/sessions/s1");
  expect(await screen.findByText("The cart rounds wrongly.")).toBeTruthy();
  expect(screen.getByText("/home/alice/shop")).toBeTruthy();
  expect(screen.getByText("failed")).toBeTruthy();
  await userEvent.click(screen.getByText("Edit cart.py"));
  expect(screen.getByRole("group", { name: "Result of Edit cart.py" }).textContent).toBe("No such file");
  expect(screen.getByText("Files: app/cart.py")).toBeTruthy();
});

test("an ended session says why, with its summary and memories", async () => {
  const agent = { ...AGENT, ended_at: "2026-11-25T10:25:00Z", end_reason: "inactive" };
  const archive = {
    id: "n1",
    uri: "mem://sessions/s1/summary",
    abstract: "The cart uses Decimal.",
    overview: "Prices are exact.",
    trust: "tool",
    updated_at: "2026-11-25T10:26:00Z",
  } as const;
  const memory = { uri: "mem://user/preferences/tests", message_id: "m0", url: "" };
  const memories: SessionDetail["memories"] = [
    { ...memory, memory_id: "n2", statement: "Prefers make test.", state: "accepted", index: 0 },
    { ...memory, memory_id: "n3", statement: "Lives in Porto.", state: "proposed", index: 4 },
  ];
  open("/sessions/s1", { "GET /api/sessions/s1": () => json({ ...DETAIL, agent, archive, memories }) });
  expect(await screen.findByText(/no event for 15 minutes/)).toBeTruthy();
  expect(screen.getByText("The cart uses Decimal.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open in memory" }).getAttribute("href")).toBe("/memory/n/n1");
  expect(screen.getByText("Prices are exact.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Prefers make test." }).getAttribute("href")).toBe("/memory/n/n2");
  expect(screen.getByText("waits in the inbox")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Source: message 5, user" }));
  expect(await screen.findByText("at /c/s1?m=4")).toBeTruthy();
});

test("context and receipts are those of the conversation, in its drawer", async () => {
  const setDrawerOpen = vi.fn();
  open("/sessions/s1", {}, setDrawerOpen);
  await userEvent.click(await screen.findByRole("button", { name: "Context and receipts" }));
  expect(setDrawerOpen).toHaveBeenCalledWith(true);
  expect(await screen.findByText("at /c/s1")).toBeTruthy();
});

test("a session that cannot be read says why", async () => {
  open("/sessions/s1", {
    "GET /api/sessions/s1": () => json({ code: "not_found", detail: "Conversation not found." }, 404),
  });
  expect((await screen.findByRole("alert")).textContent).toContain("Conversation not found.");
});
