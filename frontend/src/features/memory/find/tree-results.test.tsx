import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { TreeSearchResult } from "@/api/find";
import { json } from "@/testing/render";
import { renderPane } from "../testing/in-memory";
import { hit, treeHit, treeSearch } from "../testing/samples";

const AT = "/memory/find?q=deploys&mode=search";
const SAID = treeHit({
  kind: "message",
  id: "m1",
  uri: "",
  overview: "",
  abstract: "",
  conversation_id: "c1",
  conversation_title: "Deploys",
  message_id: "m1",
  index: 34,
  role: "user",
  name: "Bob",
  snippet: "We deploy on Fridays.",
});

/** Answer in the mode that is asked for. */
function answers(found: Partial<TreeSearchResult>) {
  return {
    "GET /api/search": (request: Request) =>
      new URL(request.url).searchParams.get("mode") === "search"
        ? json(treeSearch(found))
        : json({ hits: [hit()], by_meaning: true, reason: "", actor: null }),
  };
}

function searches(requests: Request[]): URLSearchParams[] {
  return requests
    .map(({ url }) => new URL(url))
    .filter(({ pathname }) => pathname === "/api/search")
    .map(({ searchParams }) => searchParams);
}

test("the mode in the URL sends one request for both corpora, with all explanations", async () => {
  const requests = renderPane(AT, answers({ hits: [treeHit(), SAID] }));
  expect(await screen.findByRole("region", { name: "2 results" })).toBeTruthy();
  expect(searches(requests).map((one) => Object.fromEntries(one))).toEqual([
    { q: "deploys", mode: "search", corpus: "all", top_k: "10", explain: "true" },
  ]);
});

test("choosing the mode searches immediately, and the URL keeps it", async () => {
  renderPane("/memory/find?q=deploys&corpus=memories", answers({ hits: [treeHit()] }));
  await screen.findByText("1 memory");
  await userEvent.click(screen.getByRole("radio", { name: "Thorough" }));
  expect(await screen.findByText("at /memory/find?q=deploys&mode=search&corpus=memories")).toBeTruthy();
  expect(await screen.findByText("1 result")).toBeTruthy();
});

test("what was understood is listed in plain words, with whoever split it", async () => {
  const sub_queries: TreeSearchResult["intent"]["sub_queries"] = [
    { kind: "MEMORY", text: "where do I live" },
    { kind: "PATTERN", text: "how do we deploy" },
    { kind: "RESOURCE", text: "what did Bob say" },
  ];
  renderPane(AT, answers({ hits: [treeHit()], intent: { by: "claude-haiku", sub_queries } }));
  const understood = within(await screen.findByRole("region", { name: "Understood as" }));
  expect(understood.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "about you where do I live",
    "how the team works how do we deploy",
    "what was written what did Bob say",
  ]);
  expect(understood.getByText("Split by claude-haiku.")).toBeTruthy();
});

test("a memory shows its overview and a message its excerpt, each with its link", async () => {
  renderPane(AT, answers({ hits: [treeHit(), SAID] }));
  const memory = await screen.findByRole("link", { name: "Deploy days" });
  expect(memory.getAttribute("href")).toBe("/memory/n/n1");
  expect(screen.getByText("Deploys on Fridays at noon.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Message 35" }).getAttribute("href")).toBe("/c/c1?m=34");
  expect(screen.getByText("We deploy on Fridays.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Show all/ })).toBeNull();
});

test("a long overview is shortened, and the whole memory is one link away", async () => {
  const overview = Array.from({ length: 9 }, (_, index) => `Step ${index + 1}`).join("\n");
  renderPane(AT, answers({ hits: [treeHit({ overview, more: "/api/memories/n1" })] }));
  const whole = await screen.findByRole("link", { name: "Read the whole memory Deploy days" });
  expect(whole.getAttribute("href")).toBe("/memory/n/n1?tier=content");
  expect(screen.queryByText(/Step 9/)).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Show all of Deploy days" }));
  expect(screen.getByText(/Step 9/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show less of Deploy days" }));
  expect(screen.queryByText(/Step 9/)).toBeNull();
});

test("the score is the weighted sum of the parts in the tree", async () => {
  renderPane(AT, answers({ hits: [treeHit()] }));
  await userEvent.click(await screen.findByRole("button", { name: "Why Deploy days" }));
  const table = within(screen.getByRole("table", { name: "Parts of the score" }));
  const row = (name: string) => table.getByRole("row", { name: new RegExp(`^${name}`) }).textContent;
  expect(row("Words and meaning")).toContain("0.5 × 1.000");
  expect(row("Current relevance")).toContain("0.3 × 0.500");
  expect(row("Company in its folder")).toContain("0.2 × 1.000");
  expect(row("Score")).toContain("0.850");
});

test("the rounds say where they looked, what they added and why they ended", async () => {
  const rounds = [
    { number: 1, directories: ["mem://user/preferences", "mem://agent/cases"], added: 2, best: ["n1"] },
    { number: 2, directories: [], added: 0, best: ["n1"] },
  ];
  renderPane(AT, answers({ hits: [treeHit()], rounds, end: "exhausted" }));
  const summary = await screen.findByText("2 rounds");
  expect(summary.closest("details")?.open).toBe(false);
  await userEvent.click(summary);
  expect(
    screen
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent)
      .slice(-2),
  ).toEqual([
    "Looked into mem://user/preferences, mem://agent/cases. 2 new memories.",
    "Nothing left to look into.",
  ]);
  expect(screen.getByText("Ended because no folder was left to look into.")).toBeTruthy();
});

test("a search that abstains offers the nearest results of the quick mode", async () => {
  const requests = renderPane(`${AT}&tags=a`, answers({ abstained: "nothing_relevant" }));
  expect(await screen.findByText("Nothing relevant is known about this.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show the nearest anyway" }));
  expect(await screen.findByText("1 memory")).toBeTruthy();
  expect(screen.getByText("at /memory/find?q=deploys&tags=a")).toBeTruthy();
  expect(searches(requests).at(-1)?.get("mode")).toBe("find");
});

test("chit-chat has no results and nothing to show anyway", async () => {
  const intent = { by: "rules", sub_queries: [] };
  renderPane("/memory/find?q=thanks&mode=search", answers({ abstained: "chit_chat", intent }));
  expect(await screen.findByText("This asks for nothing.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Show the nearest anyway" })).toBeNull();
  expect(screen.queryByText("Understood as")).toBeNull();
});

test("a search without results that does not abstain shows the query", async () => {
  renderPane(AT, answers({}));
  expect(await screen.findByText("No results for “deploys”.")).toBeTruthy();
});

test("what the search did without is named", async () => {
  renderPane(AT, answers({ hits: [treeHit()], degraded: ["timeout", "no_vectors_yet", "deadline"] }));
  expect(await screen.findByText("The model didn't respond in time.")).toBeTruthy();
  expect(screen.getByText("Ranked by keywords only; not embedded yet.")).toBeTruthy();
  expect(screen.getByText("Time was up before the whole tree was searched.")).toBeTruthy();
});

test("more results load on demand", async () => {
  const hits = Array.from({ length: 10 }, (_, index) => treeHit({ id: `n${index}` }));
  const requests = renderPane(AT, answers({ hits }));
  await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
  await waitFor(() => expect(searches(requests).at(-1)?.get("top_k")).toBe("20"));
  expect(searches(requests).at(-1)?.get("mode")).toBe("search");
});

test("a failed search can be retried", async () => {
  let attempts = 0;
  renderPane(AT, {
    "GET /api/search": () => {
      attempts += 1;
      return attempts === 1 ? json({ code: "busy" }, 503) : json(treeSearch({ hits: [treeHit()] }));
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "Deploy days" })).toBeTruthy();
});
