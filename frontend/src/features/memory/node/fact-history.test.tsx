import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { renderPane } from "../testing/in-memory";
import { node } from "../testing/samples";

const OTHER = {
  id: "n2",
  uri: "mem://user/preferences/deploy-days-2",
  abstract: "Deploys on Mondays.",
  value: "Monday",
  valid_from: "2026-10-01T10:00:00Z",
  valid_to: "2026-11-01T10:00:00Z",
};

test("a memory that superseded others links to them", async () => {
  const shown = node({ valid_from: "2026-11-01T10:00:00Z", supersedes: [OTHER] });
  renderPane("/memory/n/n1", { "GET /api/memories/n1": () => json(shown) });
  const link = await screen.findByRole("link", { name: "Deploys on Mondays." });
  expect(link.getAttribute("href")).toBe("/memory/n/n2");
  expect(screen.getByText(/^True since .* Before that:$/)).toBeTruthy();
});

test("a superseded memory says since when, and by what", async () => {
  const past = { valid_from: "2026-09-01T10:00:00Z", valid_to: "2026-10-01T10:00:00Z" };
  const shown = node({ ...past, superseded_by: { ...OTHER, valid_to: null } });
  renderPane("/memory/n/n1", { "GET /api/memories/n1": () => json(shown) });
  expect(await screen.findByText(/^Superseded on .* by:/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Deploys on Mondays." }).getAttribute("href")).toBe("/memory/n/n2");
  expect(screen.getByText(/Replies and searches don’t use it\.$/)).toBeTruthy();
});
