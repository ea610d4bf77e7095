import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { renderSettings, MEMBER, lastRequest } from "../testing/in-settings";
import { provider, models, READY } from "../testing/samples";

const KEY = "sk-a-secret-of-ours";
const COMPATIBLE = { backend: "compatible", label: "OpenAI-compatible", takes_address: true } as const;
const WORKS = { ok: true, code: "accepted", detail: "", models: ["a", "b"], latency_ms: 1234 };

async function openKeyForm(answers: Parameters<typeof renderSettings>[1] = {}) {
  const requests = renderSettings("models", answers);
  await userEvent.click(await screen.findByRole("button", { name: "Add key for OpenAI" }));
  const field = screen.getByLabelText<HTMLInputElement>(/^Key for OpenAI/);
  return { requests, field };
}

test("each purpose shows its active model and the reason", async () => {
  renderSettings("models");
  const table = await screen.findByRole("table", { name: "Models in use" });
  const [, replies, compactions] = within(table).getAllByRole("row");
  expect(replies?.textContent).toContain("claude-large");
  expect(replies?.textContent).toContain("Anthropic is the first available provider.");
  expect(compactions?.textContent).toContain("None");
  expect(compactions?.textContent).toContain("which is unreachable");
});

test("each provider shows its state, the reason, and the last digits of its key", async () => {
  renderSettings("models");
  const ready = (await screen.findByRole("heading", { name: "Anthropic" })).closest("li") as HTMLElement;
  expect(within(ready).getByText("ready")).toBeTruthy();
  expect(ready.textContent).toContain("Key ends in 9f3a · entered in this workspace");
  await userEvent.click(within(ready).getByRole("button", { name: "Show 2 models from Anthropic" }));
  expect(within(ready).getByText("claude-small")).toBeTruthy();
  expect(screen.getByText("No key is known for OpenAI.")).toBeTruthy();
});

test("provider and model are saved with the version that the user saw; only changes are sent", async () => {
  const requests = renderSettings("models", {
    "PATCH /api/models": () => json(models({ version: 5, backend: "anthropic" })),
  });
  const save = await screen.findByRole<HTMLButtonElement>("button", { name: "Save choice" });
  expect(save.disabled).toBe(true);
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Provider" }), "Anthropic");
  await userEvent.type(screen.getByRole("combobox", { name: "Model for replies" }), "claude-new");
  await userEvent.clear(screen.getByRole("combobox", { name: "Model for compactions" }));
  await userEvent.click(save);
  expect(await screen.findByText("Saved. Used from the next call.")).toBeTruthy();
  expect(await lastRequest(requests, "PATCH", "/api/models")).toEqual({
    body: { backend: "anthropic", by_purpose: { chat: "claude-new", compaction: null } },
    match: '"4"',
  });
});

test("a choice made during a concurrent change is kept, and saved against the newer version", async () => {
  let version = 4;
  const requests = renderSettings("models", {
    "GET /api/models": () => json(models({ version })),
    "PATCH /api/models": () => {
      version += 1;
      return version === 5 ? json({ code: "stale" }, 412) : json(models({ version }));
    },
  });
  const provider = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Provider" });
  await userEvent.selectOptions(provider, "Anthropic");
  await userEvent.click(screen.getByRole("button", { name: "Save choice" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Your choices are still here");
  expect(provider.value).toBe("anthropic");
  await waitFor(() => expect(requests.filter(({ method }) => method === "GET")).toHaveLength(2));
  await userEvent.click(screen.getByRole("button", { name: "Save choice" }));
  await screen.findByText("Saved. Used from the next call.");
  expect((await lastRequest(requests, "PATCH", "/api/models")).match).toBe('"5"');
});

test("an error about a model name is shown next to its field", async () => {
  const errors = [{ pointer: "/by_purpose/chat", detail: "This name is too long." }];
  renderSettings("models", { "PATCH /api/models": () => json({ code: "invalid", errors }, 400) });
  await userEvent.type(await screen.findByRole("combobox", { name: "Model for replies" }), "x");
  await userEvent.click(screen.getByRole("button", { name: "Save choice" }));
  expect(await screen.findByText("This name is too long.")).toBeTruthy();
});

test("a key can be tested before it is saved", async () => {
  const { requests, field } = await openKeyForm({ "POST /api/models/test": () => json(WORKS) });
  await userEvent.type(field, KEY);
  await userEvent.click(screen.getByRole("button", { name: "Test" }));
  expect(
    await screen.findByText("The provider responded in 1,234 ms and offers 2 models. Nothing is saved yet."),
  ).toBeTruthy();
  expect((await lastRequest(requests, "POST", "/api/models/test")).body).toEqual({
    backend: "openai",
    key: KEY,
  });
});

test("a wrong key shows the reason and is not saved", async () => {
  const detail = "The model's provider rejected the API key. Check it in Settings.";
  const { requests, field } = await openKeyForm({
    "POST /api/models/test": () => json({ ...WORKS, ok: false, code: "unauthorized", detail }),
    "PUT /api/models/keys/openai": () => json({ code: "key_not_accepted", detail }, 422),
  });
  await userEvent.type(field, KEY);
  await userEvent.click(screen.getByRole("button", { name: "Test" }));
  const tested = await screen.findByText("The test failed; nothing was saved.");
  expect(tested.closest('[role="alert"]')?.textContent).toContain(detail);
  expect(requests.some(({ method }) => method === "PUT")).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Test and save" }));
  const note = await screen.findByText("The key was not saved.");
  expect(note.closest('[role="alert"]')?.textContent).toContain("key_not_accepted");
  expect(field.value).toBe(KEY);
});

test("a saved key is nowhere on the page, only its last digits", async () => {
  let isSaved = false;
  const saved = provider({
    state: "ready",
    key: { last_four: "ours", source: "workspace", tested_at: "2026-11-21T09:00:00Z" },
  });
  const { requests, field } = await openKeyForm({
    "GET /api/models": () => json(models({ providers: [isSaved ? saved : provider()] })),
    "PUT /api/models/keys/openai": () => {
      isSaved = true;
      return json(saved);
    },
  });
  expect(field.type).toBe("password");
  expect(field.autocomplete).toBe("off");
  await userEvent.type(field, `${KEY}{Enter}`);
  expect(await screen.findByText("OpenAI accepted the key. Key saved")).toBeTruthy();
  expect(await screen.findByText(/^Key ends in ours/)).toBeTruthy();
  expect(screen.queryByLabelText(/^Key for OpenAI/)).toBeNull();
  expect((await lastRequest(requests, "PUT", "/api/models/keys/openai")).body).toEqual({ key: KEY });
  expect(document.documentElement.outerHTML).not.toContain(KEY);
  expect(JSON.stringify(localStorage)).not.toContain(KEY);
  expect(requests.map(({ url }) => url).join()).not.toContain(KEY);
});

test("a compatible provider takes a base URL with the key", async () => {
  const requests = renderSettings("models", {
    "GET /api/models": () => json(models({ providers: [provider(COMPATIBLE)] })),
    "PUT /api/models/keys/compatible": () => json(provider({ ...COMPATIBLE, state: "ready" })),
  });
  await userEvent.click(await screen.findByRole("button", { name: /^Add key for OpenAI-compatible/ }));
  await userEvent.type(screen.getByLabelText(/^Key for OpenAI-compatible/), KEY);
  await userEvent.type(screen.getByLabelText(/^Base URL/), "https://models.example.org/v1");
  await userEvent.click(screen.getByRole("button", { name: "Test and save" }));
  await screen.findByText(/accepted the key/);
  expect((await lastRequest(requests, "PUT", "/api/models/keys/compatible")).body).toEqual({
    key: KEY,
    base_url: "https://models.example.org/v1",
  });
});

test("removing a key asks for confirmation, and Escape cancels", async () => {
  const requests = renderSettings("models", {
    "DELETE /api/models/keys/anthropic": () => new Response(null, { status: 204 }),
  });
  const remove = await screen.findByRole("button", { name: "Remove key for Anthropic" });
  await userEvent.click(remove);
  const question = screen.getByRole("group", {
    name: "Remove the key for Anthropic that ends in 9f3a?",
  });
  expect(document.activeElement).toBe(within(question).getByRole("button", { name: "Remove key" }));
  await userEvent.keyboard("{Escape}");
  expect(requests.some(({ method }) => method === "DELETE")).toBe(false);
  expect(document.activeElement).toBe(remove);
  await userEvent.click(remove);
  await userEvent.click(screen.getAllByRole("button", { name: "Remove key" }).at(-1) as HTMLElement);
  expect(await screen.findByText("The key for Anthropic was removed")).toBeTruthy();
  expect(requests.some(({ method }) => method === "DELETE")).toBe(true);
});

test("a stored key can be tested; one from the environment cannot be removed here", async () => {
  const key = { last_four: "9f3a", source: "environment", tested_at: null } as const;
  const requests = renderSettings("models", {
    "GET /api/models": () => json(models({ providers: [{ ...READY, key }] })),
    "POST /api/models/test": () => json(WORKS),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Test Anthropic" }));
  expect(await screen.findByText("The provider responded in 1,234 ms and offers 2 models.")).toBeTruthy();
  expect((await lastRequest(requests, "POST", "/api/models/test")).body).toEqual({ backend: "anthropic" });
  expect(screen.queryByRole("button", { name: /^Remove/ })).toBeNull();
});

test("a member sees everything and cannot change it", async () => {
  renderSettings("models", {}, MEMBER);
  expect(await screen.findByText(/^Only owners and admins of this workspace can choose/)).toBeTruthy();
  expect(screen.getByText(/^Key ends in 9f3a/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /[Kk]ey|^Test|Save/ })).toBeNull();
});
