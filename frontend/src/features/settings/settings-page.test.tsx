import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { renderSettings } from "./testing/in-settings";

test("the settings open with the models tab, and tabs can be switched", async () => {
  renderSettings("");
  expect(await screen.findByRole("heading", { name: "Models in use" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Models" }).getAttribute("aria-current")).toBe("page");
  await userEvent.click(screen.getByRole("link", { name: "Usage" }));
  expect(await screen.findByRole("heading", { name: "By model" })).toBeTruthy();
  await userEvent.click(screen.getByRole("link", { name: "Limits" }));
  expect(await screen.findByRole("heading", { name: "Daily limits" })).toBeTruthy();
});

test("an unknown tab leads to the models tab", async () => {
  renderSettings("nothing-such");
  expect(await screen.findByRole("heading", { name: "Models in use" })).toBeTruthy();
});

test("settings that could not be loaded can be retried", async () => {
  let attempts = 0;
  renderSettings("models", {
    "GET /api/models": () => {
      attempts += 1;
      return attempts === 1 ? json({ code: "busy" }, 503) : json({ ...MODELS });
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Nothing was found by this test.")).toBeTruthy();
});

const MODELS = {
  version: 1,
  backend: null,
  by_purpose: {},
  local_allowed: true,
  chosen: [],
  providers: [
    {
      backend: "ollama",
      state: "not_found",
      detail: "Nothing was found by this test.",
      base_url: "",
      key: null,
      models: [],
    },
  ],
};
