import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Pin } from "@/api/pins";
import { json } from "@/testing/render";
import { page } from "@/testing/samples";
import { renderInDrawer, lastBody } from "../testing/in-drawer";
import { AT, ID } from "../testing/samples";
import { PinsSection } from "./pins-section";

const PIN: Pin = {
  id: "p1",
  conversation_id: ID,
  message_id: "m3",
  content: "Never on Sundays",
  category: "decision",
  token_count: 8,
  pinned_by: null,
  pinned_at: "2026-03-06T09:00:00Z",
  version: 2,
};

function withPin(more: Parameters<typeof renderInDrawer>[1] = {}) {
  return renderInDrawer(<PinsSection />, {
    ...more,
    answers: { [`GET ${AT}/pins`]: () => json(page([PIN])), ...more.answers },
  });
}

test("a pin shows its category, tokens and message", async () => {
  const { showMessage } = withPin();
  expect(await screen.findByText("decision, 8 tokens")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: /Source: message 4/ }));
  expect(showMessage).toHaveBeenCalledWith(3);
});

test("an empty list explains pins", async () => {
  renderInDrawer(<PinsSection />);
  expect(await screen.findByText(/always sent word for word/)).toBeTruthy();
});

test("a text can be pinned", async () => {
  const { requests } = renderInDrawer(<PinsSection />, {
    answers: { [`POST ${AT}/pins`]: () => json(PIN, 201) },
  });
  await userEvent.click(screen.getByRole("button", { name: "Add pin" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), "Euros only");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Category" }), "requirement");
  await userEvent.click(screen.getByRole("button", { name: "Pin this text" }));
  expect(await screen.findByText("Pinned (≈ 8 tokens)")).toBeTruthy();
  const { body } = await lastBody(requests, "POST", `${AT}/pins`);
  expect(body).toEqual({ content: "Euros only", category: "requirement" });
});

test("a pin is changed with the version that the user saw", async () => {
  const { requests } = withPin({ answers: { [`PATCH ${AT}/pins/p1`]: () => json({ ...PIN, version: 3 }) } });
  await userEvent.click(await screen.findByRole("button", { name: "Edit pin: Never on Sundays" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), " or Mondays");
  await userEvent.click(screen.getByRole("button", { name: "Save pin" }));
  expect(await screen.findByText("Pin updated")).toBeTruthy();
  expect(await lastBody(requests, "PATCH", `${AT}/pins/p1`)).toEqual({
    body: { content: "Never on Sundays or Mondays", category: "decision" },
    match: '"2"',
  });
});

test("the input survives a concurrent change, and saving again applies to the new version", async () => {
  let now = PIN;
  const { requests } = withPin({
    answers: {
      [`GET ${AT}/pins`]: () => json(page([now])),
      [`PATCH ${AT}/pins/p1`]: () => json({ code: "stale" }, 412),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit pin: Never on Sundays" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), "!");
  now = { ...PIN, content: "Never at night", version: 3 };
  await userEvent.click(screen.getByRole("button", { name: "Save pin" }));
  expect(await screen.findByText("Current text: Never at night")).toBeTruthy();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" }).value).toBe("Never on Sundays!");
  await userEvent.click(screen.getByRole("button", { name: "Save pin" }));
  expect((await lastBody(requests, "PATCH", `${AT}/pins/p1`)).match).toBe('"3"');
});

test("removing a pin can be undone", async () => {
  let pins = [PIN];
  const { requests } = withPin({
    answers: {
      [`GET ${AT}/pins`]: () => json(page(pins)),
      [`DELETE ${AT}/pins/p1`]: () => {
        pins = [];
        return new Response(null, { status: 204 });
      },
      [`POST ${AT}/pins`]: () => json(PIN, 201),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Remove pin: Never on Sundays" }));
  expect(await screen.findByText("Pin removed")).toBeTruthy();
  expect((await lastBody(requests, "DELETE", `${AT}/pins/p1`)).match).toBe('"2"');
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  const { body } = await lastBody(requests, "POST", `${AT}/pins`);
  expect(body).toEqual({ message_id: "m3", content: "Never on Sundays", category: "decision" });
});

test("a pin deleted during an edit is created again, with the input and its source message", async () => {
  let pins = [PIN];
  const { requests } = withPin({
    answers: {
      [`GET ${AT}/pins`]: () => json(page(pins)),
      [`PATCH ${AT}/pins/p1`]: () => json({ code: "not_found" }, 404),
      [`POST ${AT}/pins`]: () => json(PIN, 201),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit pin: Never on Sundays" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), "!");
  pins = [];
  await userEvent.click(screen.getByRole("button", { name: "Save pin" }));
  expect(await screen.findByText(/This pin no longer exists/)).toBeTruthy();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" }).value).toBe("Never on Sundays!");
  await userEvent.click(screen.getByRole("button", { name: "Save pin" }));
  expect(await screen.findByText("Pinned (≈ 8 tokens)")).toBeTruthy();
  expect((await lastBody(requests, "POST", `${AT}/pins`)).body).toEqual({
    message_id: "m3",
    content: "Never on Sundays!",
    category: "decision",
  });
});

test("a reader sees no controls for pins", async () => {
  withPin({ canWrite: false });
  await screen.findByText("decision, 8 tokens");
  expect(screen.queryByRole("button", { name: /pin/ })).toBeNull();
});

test("the source of the token counts is shown once", async () => {
  withPin();
  expect(await screen.findByRole("button", { name: "Pins 1 · ≈ tokens" })).toBeTruthy();
});

test("a pin that somebody has just changed is not removed", async () => {
  withPin({ answers: { [`DELETE ${AT}/pins/p1`]: () => json({ code: "stale" }, 412) } });
  await userEvent.click(await screen.findByRole("button", { name: "Remove pin: Never on Sundays" }));
  expect(await screen.findByText(/This was changed elsewhere/)).toBeTruthy();
  expect(screen.queryByText("Pin removed")).toBeNull();
});
