import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { renderInDrawer, lastBody } from "../testing/in-drawer";
import { OWN } from "../testing/samples";
import { PackPreferences } from "./pack-preferences";

const AT = "/api/me/context";

async function renderPreferences(answers: NonNullable<Parameters<typeof renderInDrawer>[1]>["answers"] = {}) {
  const { requests } = renderInDrawer(<PackPreferences />, {
    answers: { [`PATCH ${AT}`]: () => json({ ...OWN, version: 3 }), ...answers },
  });
  await userEvent.click(screen.getByRole("button", { name: /^Context settings/ }));
  await screen.findByRole("group", { name: "Knowledge depth" });
  return requests;
}

test("the depth is changed with the version that the user saw", async () => {
  const requests = await renderPreferences();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Standard" }).checked).toBe(true);
  await userEvent.click(screen.getByRole("radio", { name: "Deep" }));
  expect(await screen.findByText("Saved")).toBeTruthy();
  expect(await lastBody(requests, "PATCH", AT)).toEqual({ body: { knowledge_depth: "deep" }, match: '"2"' });
});

test("history can be given priority", async () => {
  const requests = await renderPreferences();
  await userEvent.click(screen.getByRole("switch", { name: "Prefer history" }));
  expect((await lastBody(requests, "PATCH", AT)).body).toEqual({ history_first: true });
});

test("an own budget is saved, and reset to the workspace's", async () => {
  const requests = await renderPreferences({ [`GET ${AT}`]: () => json({ ...OWN, token_budget: 8000 }) });
  const field = screen.getByRole("textbox", { name: "Default token budget" });
  await userEvent.clear(field);
  await userEvent.type(field, "6000{Enter}");
  expect((await lastBody(requests, "PATCH", AT)).body).toEqual({ token_budget: 6000 });
  await userEvent.clear(await screen.findByRole("textbox", { name: "Default token budget" }));
  await userEvent.click(screen.getByRole("button", { name: "Save budget" }));
  expect((await lastBody(requests, "PATCH", AT)).body).toEqual({ token_budget: null });
});

test.each(["12.5", "many", "0", "2000001"])("%s is not a valid budget", async (typed) => {
  await renderPreferences();
  await userEvent.type(screen.getByRole("textbox", { name: "Default token budget" }), typed);
  expect(screen.getByText("Enter a number from 1 to 2,000,000, or leave empty.")).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save budget" }).disabled).toBe(true);
});

test("a concurrent change is reported, and the input stays", async () => {
  await renderPreferences({ [`PATCH ${AT}`]: () => json({ status: 412, code: "stale", detail: "" }, 412) });
  await userEvent.click(screen.getByRole("radio", { name: "Minimal" }));
  expect(await screen.findByText("This was changed elsewhere. Review it, then try again.")).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Standard" }).checked).toBe(true);
});
