import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { inDrawer, sent } from "../testing/in-drawer";
import { OWN } from "../testing/samples";
import { OwnSettings } from "./pack-preferences";

const AT = "/api/me/context";

async function settings(answers: NonNullable<Parameters<typeof inDrawer>[1]>["answers"] = {}) {
  const { asked } = inDrawer(<OwnSettings />, {
    answers: { [`PATCH ${AT}`]: () => json({ ...OWN, version: 3 }), ...answers },
  });
  await userEvent.click(screen.getByRole("button", { name: /^How your packs are built/ }));
  await screen.findByRole("group", { name: "Knowledge depth" });
  return asked;
}

test("the depth is changed, of the version that was looked at", async () => {
  const asked = await settings();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Standard" }).checked).toBe(true);
  await userEvent.click(screen.getByRole("radio", { name: "Deep" }));
  expect(await screen.findByText("Your packs are built so from now on")).toBeTruthy();
  expect(await sent(asked, "PATCH", AT)).toEqual({ body: { knowledge_depth: "deep" }, match: '"2"' });
});

test("history is put first", async () => {
  const asked = await settings();
  await userEvent.click(screen.getByRole("switch", { name: "History first" }));
  expect((await sent(asked, "PATCH", AT)).body).toEqual({ history_first: true });
});

test("a budget of one's own is saved, and given back to the workspace", async () => {
  const asked = await settings({ [`GET ${AT}`]: () => json({ ...OWN, token_budget: 8000 }) });
  const field = screen.getByRole("textbox", { name: "Token budget" });
  await userEvent.clear(field);
  await userEvent.type(field, "6000{Enter}");
  expect((await sent(asked, "PATCH", AT)).body).toEqual({ token_budget: 6000 });
  await userEvent.clear(await screen.findByRole("textbox", { name: "Token budget" }));
  await userEvent.click(screen.getByRole("button", { name: "Save budget" }));
  expect((await sent(asked, "PATCH", AT)).body).toEqual({ token_budget: null });
});

test.each(["12.5", "many", "0", "2000001"])("%s is no budget", async (typed) => {
  await settings();
  await userEvent.type(screen.getByRole("textbox", { name: "Token budget" }), typed);
  expect(screen.getByText("A whole number from 1 to 2,000,000, or nothing.")).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save budget" }).disabled).toBe(true);
});

test("a change made elsewhere meanwhile is told, and nothing is lost", async () => {
  await settings({ [`PATCH ${AT}`]: () => json({ status: 412, code: "stale", detail: "" }, 412) });
  await userEvent.click(screen.getByRole("radio", { name: "Minimal" }));
  expect(await screen.findByText("It was changed meanwhile. Look at it and try again.")).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Standard" }).checked).toBe(true);
});
