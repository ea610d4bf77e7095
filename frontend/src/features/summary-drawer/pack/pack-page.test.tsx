import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { PackLayer } from "@/api/context";
import { json } from "@/testing/render";
import { renderInDrawer } from "../testing/in-drawer";
import { OMITTED } from "../testing/pack-metadata";
import { AT, compactedPack, pack } from "../testing/samples";
import { PackPage } from "./pack-page";

test("the parts have the order of the pack and are verbatim", async () => {
  renderInDrawer(<PackPage />);
  await screen.findByText("Never on Sundays");
  const parts = screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
  expect(parts.filter((name) => name.endsWith("estimated"))).toEqual([
    "System≈ 10 estimated",
    "About you≈ 20 estimated",
    "Pins≈ 30 estimated",
    "Summary≈ 900 estimated",
    "Earlier (shortened)≈ 0 estimated",
    "Recent (in full)≈ 4,000 estimated",
  ]);
  expect(screen.getByText("Never on Sundays")).toBeTruthy();
});

test("summary and earlier messages are shown as they are sent", async () => {
  renderInDrawer(<PackPage />, { answers: { [`GET ${AT}/context`]: () => json(compactedPack()) } });
  const sent = await screen.findByText(/^## Before the messages that follow, in short/);
  expect(sent.textContent).toMatch(/\[Messages 10–109\]\nWe chose Redis\.$/);
  const summary = screen.getByText(/^## Summary of the conversation so far/);
  expect(summary.textContent).toMatch(/Goals:\n- Ship on Friday$/);
});

test("a budget that is too small is reported, and the own budget can be changed there", async () => {
  const problem = { status: 422, code: "budget_exceeded", detail: "The budget of 1 tokens is too small." };
  renderInDrawer(<PackPage />, { answers: { [`GET ${AT}/context`]: () => json(problem, 422) } });
  expect(await screen.findByText(problem.detail)).toBeTruthy();
  expect(screen.getByRole("button", { name: /^Context settings/ })).toBeTruthy();
});

test("omitted parts are named", async () => {
  const omitted = { ...OMITTED, user_memory: ["u2"], messages_before: 12 };
  renderInDrawer(<PackPage />, { answers: { [`GET ${AT}/context`]: () => json(pack({ omitted })) } });
  expect(await screen.findByText("Messages before 13 are shortened.")).toBeTruthy();
  expect(screen.getByText("1 didn't fit")).toBeTruthy();
});

test("the pack of a chat that others read says why it has nothing private", async () => {
  const omitted = { ...OMITTED, private_memory: "audience" as const };
  renderInDrawer(<PackPage />, { answers: { [`GET ${AT}/context`]: () => json(pack({ omitted })) } });
  expect(await screen.findByText(/^Others read this chat/)).toBeTruthy();
});

test("the pack can be shown and copied in the format of a model's API", async () => {
  const user = userEvent.setup();
  renderInDrawer(<PackPage />, {
    answers: {
      [`GET ${AT}/context`]: ({ url }) =>
        json(url.includes("format=anthropic") ? { ...pack(), rendered: { system: "Be brief." } } : pack()),
    },
  });
  await user.click(await screen.findByRole("radio", { name: "Anthropic" }));
  expect(await screen.findByText(/"system": "Be brief\."/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Copy as JSON" }));
  expect(await screen.findByText("Copied as JSON")).toBeTruthy();
  expect(JSON.parse(await navigator.clipboard.readText())).toEqual({ system: "Be brief." });
});

const CALLED = [
  { kind: "tool_call", name: "search", text: '{"for": "invoices"}' },
  { kind: "tool_result", name: "search", text: "Three invoices", summary: "3 found" },
] as const;

test("tool calls and results are part of it", async () => {
  const messages = pack().recent_messages.map((message) => ({ ...message, content: "", parts: [...CALLED] }));
  renderInDrawer(<PackPage />, {
    answers: { [`GET ${AT}/context`]: () => json(pack({}, { recent_messages: messages })) },
  });
  expect((await screen.findAllByText("Called search")).length).toBeGreaterThan(0);
  expect(screen.getAllByText('{"for": "invoices"}').length).toBeGreaterThan(0);
  expect(screen.getAllByText("Three invoices").length).toBeGreaterThan(0);
});

test("it can be copied without the clipboard API", async () => {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("not here"));
  Object.assign(document, { execCommand: () => true });
  renderInDrawer(<PackPage />);
  await screen.findByText("Never on Sundays");
  await user.click(screen.getByRole("button", { name: "Copy as JSON" }));
  expect(await screen.findByText("Copied as JSON")).toBeTruthy();
});

test("retrieved items are shown before the current message, with the omitted ones", async () => {
  const text = "## Retrieved for the next message\n[mem://user/profile/style]\n> Short answers.";
  const shown = pack(
    {
      tokens: { ...pack().metadata.tokens, just_in_time: 40 },
      omitted: { ...pack().metadata.omitted, retrieved: ["n2"] },
    },
    {
      retrieved: [
        {
          id: "n1",
          kind: "memory",
          origin: "mem://user/profile/style",
          text: "Short answers.",
          correction: "",
          index: null,
          conversation_id: null,
          conversation_title: "",
          score: 3.05,
          similarity: 0.71,
          chance: 0.8,
          tokens: 18,
          again: false,
        },
      ],
    },
  );
  shown.layers.push({
    ...pack().layers[1],
    layer: "L5_jit",
    used: 40,
    text,
  } as (typeof shown.layers)[number]);
  renderInDrawer(<PackPage />, { answers: { [`GET ${AT}/context`]: () => json(shown) } });
  expect(await screen.findByRole("heading", { level: 3, name: /^Retrieved/ })).toBeTruthy();
  expect(screen.getByText(/Short answers\./)).toBeTruthy();
  expect(screen.getByText("1 found but didn't fit")).toBeTruthy();
});

test("what is known about the entities is sent between the pins and the summary", async () => {
  const { tokens, omitted } = pack().metadata;
  const metadata = { tokens: { ...tokens, entities: 25 }, omitted: { ...omitted, entities: ["n2"] } };
  const text =
    "## Known about what the conversation names\n[mem://user/entities/ember/budget 2026-03-01]\n> 4,000 euros.";
  const layers = [...pack().layers, { ...pack().layers[1], layer: "L3_entity", used: 25, text }];
  const shown = pack(metadata, { layers: layers as PackLayer[] });
  renderInDrawer(<PackPage />, { answers: { [`GET ${AT}/context`]: () => json(shown) } });
  expect(await screen.findByText(/4,000 euros\./)).toBeTruthy();
  expect(screen.getByText("1 didn't fit")).toBeTruthy();
  const headings = screen.getAllByRole("heading", { level: 3 }).map((one) => one.textContent);
  const places = ["Pins", "Entities", "Summary"].map((name) =>
    headings.findIndex((one) => one.startsWith(name)),
  );
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(places).not.toContain(-1);
  expect(headings.some((one) => one.startsWith("Topics"))).toBe(false);
});
