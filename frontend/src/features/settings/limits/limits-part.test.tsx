import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { AS_VIEWER, me } from "@/testing/samples";
import { renderSettings, MEMBER, lastRequest } from "../testing/in-settings";
import { policy, today, usage } from "../testing/samples";

const FULL = today({
  tokens: 9500,
  token_ceiling: 10_000,
  cost_ceiling_micros: 5_000_000,
  state: "background_stopped",
  detail: "Models are asked for replies alone until 00:00 UTC.",
});

test("today's status has a reason, and a bar with the limit and its thresholds", async () => {
  renderSettings("limits", { "GET /api/usage": () => json(usage({ today: FULL })) });
  expect(await screen.findByText("Replies only")).toBeTruthy();
  expect(screen.getByText("Models are asked for replies alone until 00:00 UTC.")).toBeTruthy();
  const bar = screen.getByRole("meter", { name: "Tokens" });
  expect(bar.getAttribute("aria-valuetext")).toBe(
    "9,500 of 10,000 today; warning at 80%, background work stops at 90%",
  );
  expect(screen.getByRole("meter", { name: "USD" }).getAttribute("aria-valuenow")).toBe("37");
  expect(screen.getByText("$1.84 of $5.00")).toBeTruthy();
});

test("without a limit there is a number and no bar", async () => {
  renderSettings("limits");
  expect(await screen.findByText("4,200, no limit")).toBeTruthy();
  expect(screen.queryByRole("meter")).toBeNull();
});

test("limits are saved in tokens and cents, with the version that the user saw", async () => {
  const requests = renderSettings("limits", {
    "PATCH /api/policy": () => json({ ...policy({ daily_token_ceiling: 100_000 }), version: 4 }),
  });
  await userEvent.type(await screen.findByRole("textbox", { name: "Tokens per day" }), "100,000");
  await userEvent.type(screen.getByRole("textbox", { name: "USD per day" }), "4.35");
  await userEvent.click(screen.getByRole("button", { name: "Save limits" }));
  expect(await screen.findByText("Limits saved")).toBeTruthy();
  expect(await lastRequest(requests, "PATCH", "/api/policy")).toEqual({
    body: { overrides: { daily_token_ceiling: 100_000, daily_cost_ceiling_cents: 435 } },
    match: '"3"',
  });
});

test("an empty limit is removed, and one equal to the installation's resets the override", async () => {
  const answers = {
    "GET /api/policy": () => json(policy({ daily_token_ceiling: 500 }, { daily_cost_ceiling_cents: 300 })),
    "PATCH /api/policy": () => json(policy()),
  };
  const requests = renderSettings("limits", answers);
  await userEvent.clear(await screen.findByRole("textbox", { name: "Tokens per day" }));
  await userEvent.clear(screen.getByRole("textbox", { name: "USD per day" }));
  expect(screen.getByText("Server default: $3.00. Leave empty for no limit.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Save limits" }));
  expect((await lastRequest(requests, "PATCH", "/api/policy")).body).toEqual({
    overrides: { daily_token_ceiling: null, daily_cost_ceiling_cents: 0 },
  });
});

test("an invalid amount is reported immediately and not saved", async () => {
  renderSettings("limits");
  await userEvent.type(await screen.findByRole("textbox", { name: "USD per day" }), "a lot");
  expect(screen.getByText("Enter an amount with up to two decimals, or leave empty.")).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save limits" }).disabled).toBe(true);
});

test("a concurrent change is reported, and the input stays", async () => {
  let version = 3;
  const requests = renderSettings("limits", {
    "GET /api/policy": () => json({ ...policy(), version }),
    "PATCH /api/policy": () => {
      version += 1;
      return version === 4 ? json({ code: "stale" }, 412) : json({ ...policy(), version });
    },
  });
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Tokens per day" });
  await userEvent.type(field, "700{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("Your values are still here");
  expect(field.value).toBe("700");
  const reads = () => requests.filter(({ method, url }) => method === "GET" && url.includes("policy"));
  await waitFor(() => expect(reads()).toHaveLength(2));
  await userEvent.type(field, "{Enter}");
  await screen.findByText("Limits saved");
  expect((await lastRequest(requests, "PATCH", "/api/policy")).match).toBe('"4"');
});

test("no-model mode explains itself before it is turned on", async () => {
  const requests = renderSettings("limits", {
    "PATCH /api/policy": () => json(policy({ model_calls_enabled: false })),
  });
  const turn = await screen.findByRole<HTMLInputElement>("switch", { name: "Don't call any model" });
  await userEvent.click(turn);
  const question = screen.getByRole("group", { name: "Turn models off?" });
  expect(question.textContent).toContain(
    "Replies only quote this chat and your memory. Nothing is sent to a model.",
  );
  expect(requests.some(({ method }) => method === "PATCH")).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Turn off" }));
  expect(await screen.findByText("Models are off")).toBeTruthy();
  expect((await lastRequest(requests, "PATCH", "/api/policy")).body).toEqual({
    overrides: { model_calls_enabled: false },
  });
});

test("it is turned off without a confirmation", async () => {
  const requests = renderSettings("limits", {
    "GET /api/policy": () => json(policy({ model_calls_enabled: false })),
    "PATCH /api/policy": () => json(policy()),
  });
  await userEvent.click(await screen.findByRole("switch", { name: "Don't call any model" }));
  expect(await screen.findByText("Models are on")).toBeTruthy();
  expect((await lastRequest(requests, "PATCH", "/api/policy")).body).toEqual({
    overrides: { model_calls_enabled: null },
  });
});

test("it is locked if the installation disables model calls", async () => {
  renderSettings("limits", { "GET /api/policy": () => json(policy({}, { model_calls_enabled: false })) });
  expect(
    (await screen.findByRole<HTMLInputElement>("switch", { name: "Don't call any model" })).disabled,
  ).toBe(true);
  expect(screen.getByText(/^This server calls no models/)).toBeTruthy();
});

test("a member sees the status, not the spending, and cannot change it", async () => {
  const spending = {
    state: "stopped",
    detail: "Today's limit is reached.",
    without_model: "ceiling",
    resets_at: FULL.resets_at,
  } as const;
  const requests = renderSettings("limits", {}, { ...MEMBER, spending });
  expect(await screen.findByText("Limit reached")).toBeTruthy();
  expect(screen.getByText(/^Only owners and admins of this workspace can change the limits/)).toBeTruthy();
  expect(
    (await screen.findByRole<HTMLInputElement>("switch", { name: "Don't call any model" })).disabled,
  ).toBe(true);
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(requests.some(({ url }) => url.includes("usage"))).toBe(false);
});

test("an auditor sees the spending", async () => {
  renderSettings(
    "limits",
    {},
    me({ ...AS_VIEWER, role: "auditor", permissions: [...AS_VIEWER.permissions, "read_usage"] }),
  );
  expect(await screen.findByText("4,200, no limit")).toBeTruthy();
});
