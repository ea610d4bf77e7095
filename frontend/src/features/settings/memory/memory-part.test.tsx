import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { lastRequest, MEMBER, renderSettings } from "../testing/in-settings";
import { policy } from "../testing/samples";

test("each mode says what goes in and what waits, and a choice is stored", async () => {
  let mode: "trusted" | "nothing" = "trusted";
  const requests = renderSettings("memory", {
    "GET /api/policy": () => json(policy({ memory_mode: mode })),
    "PATCH /api/policy": () => {
      mode = "nothing";
      return json(policy({ memory_mode: mode }));
    },
  });
  expect(await screen.findByRole("radio", { name: /^Trusted words/, checked: true })).toBeTruthy();
  await userEvent.click(screen.getByRole("radio", { name: /^Nothing/ }));
  expect(await screen.findByText("Saved. It counts for new memories.")).toBeTruthy();
  const { body } = await lastRequest(requests, "PATCH", "/api/policy");
  expect(body).toEqual({ overrides: { memory_mode: "nothing" } });
  expect(await screen.findByRole("radio", { name: /^Nothing/, checked: true })).toBeTruthy();
});

test("a member sees the mode and cannot change it", async () => {
  const answers = { "GET /api/policy": () => json(policy({ memory_mode: "confident" })) };
  renderSettings("memory", answers, MEMBER);
  const chosen = await screen.findByRole("radio", { name: /^Confident findings/, checked: true });
  expect(chosen.matches(":disabled")).toBe(true);
});
