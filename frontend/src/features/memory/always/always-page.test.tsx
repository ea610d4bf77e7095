import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { renderMemoryPage } from "../testing/in-memory";
import { hit } from "../testing/samples";

const LANGUAGE = {
  id: "u1",
  type: "preference",
  key: "language",
  content: "Answer in British English.",
  is_active: true,
  token_count: 7,
  version: 1,
  created_at: "2026-01-02T03:04:05Z",
  updated_at: "2026-01-02T03:04:05Z",
};

const STORED = { "GET /api/user-memory": () => json({ data: [LANGUAGE], next_cursor: null }) };

test("the tree lists user memory under its own heading", async () => {
  renderMemoryPage("/memory", STORED);
  await userEvent.click(await screen.findByRole("link", { name: "Sent with every chat" }));
  expect(await screen.findByText("Answer in British English.")).toBeTruthy();
});

test("an item can be switched off", async () => {
  const requests = renderMemoryPage("/memory/always", {
    ...STORED,
    "PATCH /api/user-memory/u1": () => json({ ...LANGUAGE, is_active: false, version: 2 }),
  });
  await userEvent.click(await screen.findByRole("switch", { name: "Send “language”" }));
  const change = requests.find(({ method }) => method === "PATCH");
  expect(await change?.json()).toEqual({ is_active: false });
});

test("a search result leads to its item", async () => {
  const found = hit({
    kind: "user_memory",
    id: "u1",
    uri: "",
    abstract: "",
    type: "preference",
    key: "language",
    snippet: "Answer in British English.",
  });
  const memories = { hits: [found], by_meaning: true, reason: "", actor: null };
  renderMemoryPage("/memory/find?q=british", {
    ...STORED,
    "GET /api/search": (request: Request) =>
      json(request.url.includes("corpus=memories") ? memories : { ...memories, hits: [] }),
  });
  expect(await screen.findByText("sent with every chat")).toBeTruthy();
  await userEvent.click(screen.getByRole("link", { name: "language" }));
  expect(await screen.findByText("at /memory/always/u1")).toBeTruthy();
});
