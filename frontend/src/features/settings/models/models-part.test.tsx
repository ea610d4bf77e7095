import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { inSettings, MEMBER, sent } from "../testing/in-settings";
import { found, models, READY } from "../testing/samples";

const KEY = "sk-a-secret-of-ours";
const COMPATIBLE = { backend: "compatible", label: "OpenAI-compatible", takes_address: true } as const;
const WORKS = { ok: true, code: "accepted", detail: "", models: ["a", "b"], latency_ms: 1234 };

async function entering(answers: Parameters<typeof inSettings>[1] = {}) {
  const asked = inSettings("models", answers);
  await userEvent.click(await screen.findByRole("button", { name: "Add key for OpenAI" }));
  const field = screen.getByLabelText<HTMLInputElement>(/^Key for OpenAI/);
  return { asked, field };
}

test("for each purpose stands what answers now, and why", async () => {
  inSettings("models");
  const table = await screen.findByRole("table", { name: "What answers now" });
  const [, replies, compactions] = within(table).getAllByRole("row");
  expect(replies?.textContent).toContain("claude-large");
  expect(replies?.textContent).toContain("Anthropic is the first that is ready.");
  expect(compactions?.textContent).toContain("Without a model");
  expect(compactions?.textContent).toContain("which does not answer");
});

test("what was found tells its state, its reason, and the end of its key", async () => {
  inSettings("models");
  const ready = (await screen.findByRole("heading", { name: "Anthropic" })).closest("li") as HTMLElement;
  expect(within(ready).getByText("ready")).toBeTruthy();
  expect(ready.textContent).toContain("Key ends in 9f3a · entered in this workspace");
  await userEvent.click(within(ready).getByRole("button", { name: "Show 2 models of Anthropic" }));
  expect(within(ready).getByText("claude-small")).toBeTruthy();
  expect(screen.getByText("No key is known for OpenAI.")).toBeTruthy();
});

test("a provider and a name are chosen, of the version that was looked at; only what is different is sent", async () => {
  const asked = inSettings("models", {
    "PATCH /api/models": () => json(models({ version: 5, backend: "anthropic" })),
  });
  const save = await screen.findByRole<HTMLButtonElement>("button", { name: "Save choice" });
  expect(save.disabled).toBe(true);
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Provider" }), "Anthropic");
  await userEvent.type(screen.getByRole("combobox", { name: "Model for replies" }), "claude-new");
  await userEvent.clear(screen.getByRole("combobox", { name: "Model for compactions" }));
  await userEvent.click(save);
  expect(await screen.findByText("From the next call on these models are asked")).toBeTruthy();
  expect(await sent(asked, "PATCH", "/api/models")).toEqual({
    body: { backend: "anthropic", by_purpose: { chat: "claude-new", compaction: null } },
    match: '"4"',
  });
});

test("a choice that somebody else changed meanwhile is kept, and saved of the newer version", async () => {
  let version = 4;
  const asked = inSettings("models", {
    "GET /api/models": () => json(models({ version })),
    "PATCH /api/models": () => {
      version += 1;
      return version === 5 ? json({ code: "stale" }, 412) : json(models({ version }));
    },
  });
  const provider = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Provider" });
  await userEvent.selectOptions(provider, "Anthropic");
  await userEvent.click(screen.getByRole("button", { name: "Save choice" }));
  expect((await screen.findByRole("alert")).textContent).toContain("What you chose is still here");
  expect(provider.value).toBe("anthropic");
  await waitFor(() => expect(asked.filter(({ method }) => method === "GET")).toHaveLength(2));
  await userEvent.click(screen.getByRole("button", { name: "Save choice" }));
  await screen.findByText("From the next call on these models are asked");
  expect((await sent(asked, "PATCH", "/api/models")).match).toBe('"5"');
});

test("what the server says of a name stands beside its field", async () => {
  const errors = [{ pointer: "/by_purpose/chat", detail: "This name is too long." }];
  inSettings("models", { "PATCH /api/models": () => json({ code: "invalid", errors }, 400) });
  await userEvent.type(await screen.findByRole("combobox", { name: "Model for replies" }), "x");
  await userEvent.click(screen.getByRole("button", { name: "Save choice" }));
  expect(await screen.findByText("This name is too long.")).toBeTruthy();
});

test("a key is tried before it is saved", async () => {
  const { asked, field } = await entering({ "POST /api/models/test": () => json(WORKS) });
  await userEvent.type(field, KEY);
  await userEvent.click(screen.getByRole("button", { name: "Test" }));
  expect(
    await screen.findByText("It answered in 1,234 ms and has 2 models. Nothing was saved yet."),
  ).toBeTruthy();
  expect((await sent(asked, "POST", "/api/models/test")).body).toEqual({ backend: "openai", key: KEY });
});

test("a wrong key says what is wrong with it, and is not saved", async () => {
  const detail = "The model's provider does not accept the key.";
  const { asked, field } = await entering({
    "POST /api/models/test": () => json({ ...WORKS, ok: false, code: "unauthorized", detail }),
    "PUT /api/models/keys/openai": () => json({ code: "key_not_accepted", detail }, 422),
  });
  await userEvent.type(field, KEY);
  await userEvent.click(screen.getByRole("button", { name: "Test" }));
  const tested = await screen.findByText("The test failed; nothing was saved.");
  expect(tested.closest('[role="alert"]')?.textContent).toContain(detail);
  expect(asked.some(({ method }) => method === "PUT")).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Test and save" }));
  const note = await screen.findByText("The key was not saved.");
  expect(note.closest('[role="alert"]')?.textContent).toContain("key_not_accepted");
  expect(field.value).toBe(KEY);
});

test("a key that was saved is nowhere on the page, only its end", async () => {
  let isSaved = false;
  const saved = found({
    state: "ready",
    key: { last_four: "ours", source: "workspace", tested_at: "2026-11-21T09:00:00Z" },
  });
  const { asked, field } = await entering({
    "GET /api/models": () => json(models({ found: [isSaved ? saved : found()] })),
    "PUT /api/models/keys/openai": () => {
      isSaved = true;
      return json(saved);
    },
  });
  expect(field.type).toBe("password");
  expect(field.autocomplete).toBe("off");
  await userEvent.type(field, `${KEY}{Enter}`);
  expect(await screen.findByText("OpenAI accepted the key; it is saved")).toBeTruthy();
  expect(await screen.findByText(/^Key ends in ours/)).toBeTruthy();
  expect(screen.queryByLabelText(/^Key for OpenAI/)).toBeNull();
  expect((await sent(asked, "PUT", "/api/models/keys/openai")).body).toEqual({ key: KEY });
  expect(document.documentElement.outerHTML).not.toContain(KEY);
  expect(JSON.stringify(localStorage)).not.toContain(KEY);
  expect(asked.map(({ url }) => url).join()).not.toContain(KEY);
});

test("an address goes with the key where the provider is anybody's", async () => {
  const asked = inSettings("models", {
    "GET /api/models": () => json(models({ found: [found(COMPATIBLE)] })),
    "PUT /api/models/keys/compatible": () => json(found({ ...COMPATIBLE, state: "ready" })),
  });
  await userEvent.click(await screen.findByRole("button", { name: /^Add key for OpenAI-compatible/ }));
  await userEvent.type(screen.getByLabelText(/^Key for OpenAI-compatible/), KEY);
  await userEvent.type(screen.getByLabelText(/^Address/), "https://models.example.org/v1");
  await userEvent.click(screen.getByRole("button", { name: "Test and save" }));
  await screen.findByText(/accepted the key/);
  expect((await sent(asked, "PUT", "/api/models/keys/compatible")).body).toEqual({
    key: KEY,
    base_url: "https://models.example.org/v1",
  });
});

test("a key is removed only after one was asked, and Escape leaves it", async () => {
  const asked = inSettings("models", {
    "DELETE /api/models/keys/anthropic": () => new Response(null, { status: 204 }),
  });
  const remove = await screen.findByRole("button", { name: "Remove key for Anthropic" });
  await userEvent.click(remove);
  const question = screen.getByRole("group", {
    name: "Remove the key for Anthropic that ends in 9f3a?",
  });
  expect(document.activeElement).toBe(within(question).getByRole("button", { name: "Remove key" }));
  await userEvent.keyboard("{Escape}");
  expect(asked.some(({ method }) => method === "DELETE")).toBe(false);
  expect(document.activeElement).toBe(remove);
  await userEvent.click(remove);
  await userEvent.click(screen.getAllByRole("button", { name: "Remove key" }).at(-1) as HTMLElement);
  expect(await screen.findByText("The key for Anthropic was removed")).toBeTruthy();
  expect(asked.some(({ method }) => method === "DELETE")).toBe(true);
});

test("a stored key can be tested; one from the environment cannot be removed here", async () => {
  const key = { last_four: "9f3a", source: "environment", tested_at: null } as const;
  const asked = inSettings("models", {
    "GET /api/models": () => json(models({ found: [{ ...READY, key }] })),
    "POST /api/models/test": () => json(WORKS),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Test Anthropic" }));
  expect(await screen.findByText("It answered in 1,234 ms and has 2 models.")).toBeTruthy();
  expect((await sent(asked, "POST", "/api/models/test")).body).toEqual({ backend: "anthropic" });
  expect(screen.queryByRole("button", { name: /^Remove/ })).toBeNull();
});

test("a member reads everything and changes nothing", async () => {
  inSettings("models", {}, MEMBER);
  expect(await screen.findByText(/^An owner or admin of this workspace chooses/)).toBeTruthy();
  expect(screen.getByText(/^Key ends in 9f3a/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /[Kk]ey|^Test|Save/ })).toBeNull();
});
