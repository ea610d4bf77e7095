import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { UserMemory } from "@/api/user-memory";
import { json } from "@/testing/render";
import { AS_VIEWER, me, page } from "@/testing/samples";
import { renderInDrawer, lastBody } from "../testing/in-drawer";
import { MemorySection } from "./memory-section";

const MEMORY: UserMemory = {
  id: "u1",
  type: "preference",
  key: "answers",
  content: "Short answers first",
  is_active: true,
  token_count: 6,
  version: 4,
  created_at: "2026-03-06T09:00:00Z",
  updated_at: "2026-03-06T09:00:00Z",
};
const HERE = "/api/user-memory/u1";

function withMemory(
  memory = MEMORY,
  answers: NonNullable<Parameters<typeof renderInDrawer>[1]>["answers"] = {},
) {
  return renderInDrawer(<MemorySection />, {
    answers: { "GET /api/user-memory": () => json(page([memory])), ...answers },
  });
}

test("only active memories are counted, and inactive ones are marked as not sent", async () => {
  withMemory({ ...MEMORY, is_active: false });
  expect(await screen.findByRole("button", { name: "User memory 0 active" })).toBeTruthy();
  expect(screen.getByText("preference “answers”, off")).toBeTruthy();
});

test("a memory is deactivated with its version", async () => {
  const { requests } = withMemory(MEMORY, { [`PATCH ${HERE}`]: () => json({ ...MEMORY, is_active: false }) });
  await userEvent.click(await screen.findByRole("switch", { name: "Send “answers”" }));
  expect(await lastBody(requests, "PATCH", HERE)).toEqual({ body: { is_active: false }, match: '"4"' });
});

test("a memory can be added", async () => {
  const { requests } = withMemory(MEMORY, { "POST /api/user-memory": () => json(MEMORY, 201) });
  await userEvent.click(screen.getByRole("button", { name: "Add to user memory" }));
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Type" }), "constraint");
  await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "budget");
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), "150 euros");
  await userEvent.click(screen.getByRole("button", { name: "Save memory" }));
  expect(await screen.findByText("Memory saved")).toBeTruthy();
  const { body } = await lastBody(requests, "POST", "/api/user-memory");
  expect(body).toEqual({ type: "constraint", key: "budget", content: "150 euros", is_active: true });
});

test("a name that is taken is reported at the field", async () => {
  withMemory(MEMORY, { "POST /api/user-memory": () => json({ code: "memory_exists" }, 409) });
  await userEvent.click(screen.getByRole("button", { name: "Add to user memory" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "answers");
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), "Long ones");
  await userEvent.click(screen.getByRole("button", { name: "Save memory" }));
  expect(await screen.findByText("A memory of this type and name already exists.")).toBeTruthy();
});

test("a concurrent change keeps the input", async () => {
  let now = MEMORY;
  renderInDrawer(<MemorySection />, {
    answers: {
      "GET /api/user-memory": () => json(page([now])),
      [`PATCH ${HERE}`]: () => json({ code: "stale" }, 412),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit “answers”" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), ", please");
  now = { ...MEMORY, content: "Long answers", version: 5 };
  await userEvent.click(screen.getByRole("button", { name: "Save memory" }));
  expect(await screen.findByText("Long answers")).toBeTruthy();
  const text = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" });
  expect(text.value).toBe("Short answers first, please");
});

test("deleting a memory can be undone", async () => {
  let memories = [MEMORY];
  const { requests } = renderInDrawer(<MemorySection />, {
    answers: {
      "GET /api/user-memory": () => json(page(memories)),
      [`DELETE ${HERE}`]: () => {
        memories = [];
        return new Response(null, { status: 204 });
      },
      "POST /api/user-memory": () => json(MEMORY, 201),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Delete “answers”" }));
  expect(await screen.findByText("Memory deleted")).toBeTruthy();
  expect((await lastBody(requests, "DELETE", HERE)).match).toBe('"4"');
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  const { body } = await lastBody(requests, "POST", "/api/user-memory");
  expect(body).toEqual({
    type: "preference",
    key: "answers",
    content: "Short answers first",
    is_active: true,
  });
});

test("a memory deleted during an edit keeps the input, and saving creates it again", async () => {
  let memories = [MEMORY];
  const { requests } = renderInDrawer(<MemorySection />, {
    answers: {
      "GET /api/user-memory": () => json(page(memories)),
      [`PATCH ${HERE}`]: () => json({ code: "not_found" }, 404),
      "POST /api/user-memory": () => json(MEMORY, 201),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit “answers”" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), ", please");
  memories = [];
  await userEvent.click(screen.getByRole("button", { name: "Save memory" }));
  expect(await screen.findByText(/This memory no longer exists/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Save memory" }));
  expect(await screen.findByText("Memory saved")).toBeTruthy();
  const { body } = await lastBody(requests, "POST", "/api/user-memory");
  expect(body).toEqual({ ...bodyOf(MEMORY), content: "Short answers first, please" });
});

function bodyOf({ type, key, is_active }: UserMemory) {
  return { type, key, is_active };
}

test("a viewer sees no controls", async () => {
  renderInDrawer(<MemorySection />, {
    me: me(AS_VIEWER),
    answers: { "GET /api/user-memory": () => json(page([MEMORY])) },
  });
  expect((await screen.findByRole<HTMLInputElement>("switch")).disabled).toBe(true);
  expect(screen.queryByRole("button", { name: /^(Add|Edit|Delete)/ })).toBeNull();
});
