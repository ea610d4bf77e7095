import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Pin } from "@/api/pins";
import { json } from "@/testing/render";
import { page } from "@/testing/samples";
import { inDrawer, sent } from "../testing/in-drawer";
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

function withPin(more: Parameters<typeof inDrawer>[1] = {}) {
  return inDrawer(<PinsSection />, {
    ...more,
    answers: { [`GET ${AT}/pins`]: () => json(page([PIN])), ...more.answers },
  });
}

test("a pin stands with its category, its tokens and its message", async () => {
  const { onShow } = withPin();
  expect(await screen.findByText("decision, 8 tokens")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: /Source: message 3/ }));
  expect(onShow).toHaveBeenCalledWith(3);
});

test("without pins it says what they are for", async () => {
  inDrawer(<PinsSection />);
  expect(await screen.findByText(/word for word, before everything else/)).toBeTruthy();
});

test("a text is pinned", async () => {
  const { asked } = inDrawer(<PinsSection />, { answers: { [`POST ${AT}/pins`]: () => json(PIN, 201) } });
  await userEvent.click(screen.getByRole("button", { name: "Add pin" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), "Euros only");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Category" }), "requirement");
  await userEvent.click(screen.getByRole("button", { name: "Pin this text" }));
  expect(await screen.findByText("Pinned, 8 tokens counted")).toBeTruthy();
  const { body } = await sent(asked, "POST", `${AT}/pins`);
  expect(body).toEqual({ content: "Euros only", category: "requirement" });
});

test("a pin is changed against the version that was looked at", async () => {
  const { asked } = withPin({ answers: { [`PATCH ${AT}/pins/p1`]: () => json({ ...PIN, version: 3 }) } });
  await userEvent.click(await screen.findByRole("button", { name: "Edit pin: Never on Sundays" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), " or Mondays");
  await userEvent.click(screen.getByRole("button", { name: "Save pin" }));
  expect(await screen.findByText("Pin changed")).toBeTruthy();
  expect(await sent(asked, "PATCH", `${AT}/pins/p1`)).toEqual({
    body: { content: "Never on Sundays or Mondays", category: "decision" },
    match: '"2"',
  });
});

test("what was typed outlives a change elsewhere, and a second save is meant for that", async () => {
  let now = PIN;
  const { asked } = withPin({
    answers: {
      [`GET ${AT}/pins`]: () => json(page([now])),
      [`PATCH ${AT}/pins/p1`]: () => json({ code: "stale" }, 412),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit pin: Never on Sundays" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Text" }), "!");
  now = { ...PIN, content: "Never at night", version: 3 };
  await userEvent.click(screen.getByRole("button", { name: "Save pin" }));
  expect(await screen.findByText("It reads now: Never at night")).toBeTruthy();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" }).value).toBe("Never on Sundays!");
  await userEvent.click(screen.getByRole("button", { name: "Save pin" }));
  expect((await sent(asked, "PATCH", `${AT}/pins/p1`)).match).toBe('"3"');
});

test("a removed pin comes back by undo", async () => {
  let pins = [PIN];
  const { asked } = withPin({
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
  expect((await sent(asked, "DELETE", `${AT}/pins/p1`)).match).toBe('"2"');
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  const { body } = await sent(asked, "POST", `${AT}/pins`);
  expect(body).toEqual({ message_id: "m3", content: "Never on Sundays", category: "decision" });
});

test("a pin that is gone when its change is saved is made anew, with what was typed and where it came from", async () => {
  let pins = [PIN];
  const { asked } = withPin({
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
  expect(await screen.findByText(/This pin is not there any more/)).toBeTruthy();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" }).value).toBe("Never on Sundays!");
  await userEvent.click(screen.getByRole("button", { name: "Save pin" }));
  expect(await screen.findByText("Pinned, 8 tokens counted")).toBeTruthy();
  expect((await sent(asked, "POST", `${AT}/pins`)).body).toEqual({
    message_id: "m3",
    content: "Never on Sundays!",
    category: "decision",
  });
});

test("who may only read is shown no way to pin", async () => {
  withPin({ canWrite: false });
  await screen.findByText("decision, 8 tokens");
  expect(screen.queryByRole("button", { name: /pin/ })).toBeNull();
});

test("that tokens are counted stands once beside them", async () => {
  withPin();
  expect(await screen.findByRole("button", { name: "Pins 1 · tokens counted" })).toBeTruthy();
});

test("a pin that somebody has just rewritten is not removed", async () => {
  withPin({ answers: { [`DELETE ${AT}/pins/p1`]: () => json({ code: "stale" }, 412) } });
  await userEvent.click(await screen.findByRole("button", { name: "Remove pin: Never on Sundays" }));
  expect(await screen.findByText(/It was changed meanwhile/)).toBeTruthy();
  expect(screen.queryByText("Pin removed")).toBeNull();
});
