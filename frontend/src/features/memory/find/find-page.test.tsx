import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { renderPane, renderMemoryPage } from "../testing/in-memory";
import { hit } from "../testing/samples";

const SAID = hit({
  kind: "message",
  id: "m1",
  uri: "",
  relevance: 1,
  score: 0.8,
  conversation_id: "c1",
  conversation_title: "Deploys",
  message_id: "m1",
  index: 34,
  role: "user",
  name: "Bob",
  snippet: "We deploy on Fridays.",
});

/** Answer for the corpus that is searched. */
function renderResults(...hits: { kind: string }[]) {
  return {
    "GET /api/search": (request: Request) => {
      const kind = new URL(request.url).searchParams.get("corpus") === "memories" ? "memory" : "message";
      const found = hits.filter((one) => one.kind === kind);
      return json({ hits: found, by_meaning: true, reason: "", actor: null });
    },
  };
}

function searches(requests: Request[]): URLSearchParams[] {
  return requests
    .map(({ url }) => new URL(url))
    .filter(({ pathname }) => pathname === "/api/search")
    .map(({ searchParams }) => searchParams);
}

test("nothing is requested without a query", async () => {
  const requests = renderPane("/memory/find");
  expect(await screen.findByText("Search in your own words.")).toBeTruthy();
  expect(searches(requests)).toEqual([]);
});

test("the search box above the tree searches, and the query is in the URL", async () => {
  const requests = renderMemoryPage("/memory", renderResults(hit(), SAID));
  await userEvent.type(await screen.findByRole("textbox", { name: "Search memories" }), "deploys{Enter}");
  expect(await screen.findByText("at /memory/find?q=deploys")).toBeTruthy();
  expect(await screen.findByText("1 memory")).toBeTruthy();
  expect(await screen.findByText("1 message")).toBeTruthy();
  expect(Object.fromEntries(searches(requests)[0] ?? [])).toEqual({
    q: "deploys",
    corpus: "memories",
    top_k: "10",
    mode: "find",
    explain: "true",
  });
});

test("a memory result links to the memory, a message result to the message", async () => {
  renderPane("/memory/find?q=deploys", renderResults(hit(), SAID));
  const memory = await screen.findByRole("link", { name: "Deploy days" });
  expect(memory.getAttribute("href")).toBe("/memory/n/n1");
  expect(screen.getByRole("link", { name: "Message 35" }).getAttribute("href")).toBe("/c/c1?m=34");
  expect(screen.getByText("from Bob in “Deploys”")).toBeTruthy();
});

test("the score can be expanded into its parts and their sum", async () => {
  renderPane("/memory/find?q=deploys", renderResults(hit()));
  await userEvent.click(await screen.findByRole("button", { name: "Why Deploy days" }));
  const table = within(screen.getByRole("table", { name: "Parts of the score" }));
  const row = (name: string) => table.getByRole("row", { name: new RegExp(`^${name}`) }).textContent;
  expect(row("Similar meaning")).toContain("0.500");
  expect(row("Matching words")).toContain("0.200");
  expect(row("Total")).toContain("0.800");
  expect(row("Current relevance")).toContain("× 0.500");
  expect(row("Score")).toContain("0.400");
});

test("filters apply to the next search, and both days are inclusive", async () => {
  const requests = renderPane("/memory/find?q=deploys", renderResults());
  await userEvent.click(await screen.findByText("Filters"));
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Category" }), "event");
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "2026-01-01" } });
  fireEvent.change(screen.getByLabelText("To"), { target: { value: "2026-01-31" } });
  fireEvent.change(screen.getByLabelText("Tags"), { target: { value: "a, b" } });
  await userEvent.click(screen.getByRole("button", { name: "Search" }));
  await waitFor(() => expect(searches(requests)).toHaveLength(3));
  expect(Object.fromEntries(searches(requests)[2] ?? [])).toMatchObject({
    q: "deploys",
    category: "events",
    since: "2026-01-01T00:00:00Z",
    until: "2026-01-31T23:59:59Z",
    tags: "a, b",
  });
});

test("changing the corpus searches immediately", async () => {
  const requests = renderPane("/memory/find?q=deploys", renderResults(SAID));
  await screen.findByText("1 message");
  await userEvent.click(screen.getByRole("radio", { name: "Messages" }));
  await waitFor(() => expect(searches(requests).at(-1)?.get("corpus")).toBe("messages"));
});

test("a search without results shows the query and suggestions", async () => {
  renderPane("/memory/find?q=zebra", renderResults());
  expect(await screen.findByText("No memories for “zebra”.")).toBeTruthy();
  expect(await screen.findByText("No messages for “zebra”.")).toBeTruthy();
});

test("without vectors the page says that only words were compared", async () => {
  renderPane("/memory/find?q=deploys&corpus=memories", {
    "GET /api/search": () =>
      json({ hits: [hit()], by_meaning: false, reason: "no_vectors_yet", actor: null }),
  });
  expect(await screen.findByText(/Ranked by keywords only/)).toBeTruthy();
});

test("more results load on demand", async () => {
  const manyHits = Array.from({ length: 10 }, (_, index) => hit({ id: `n${index}` }));
  const requests = renderPane("/memory/find?q=deploys", renderResults(...manyHits));
  await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
  await waitFor(() => expect(searches(requests).at(-1)?.get("top_k")).toBe("20"));
});

test("a failed search can be retried", async () => {
  let attempts = 0;
  renderPane("/memory/find?q=deploys&corpus=memories", {
    "GET /api/search": () => {
      attempts += 1;
      return attempts === 1
        ? json({ code: "busy" }, 503)
        : json({ hits: [hit()], by_meaning: true, reason: "", actor: null });
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "Deploy days" })).toBeTruthy();
});

test("memories come before messages", async () => {
  renderPane("/memory/find?q=deploys", renderResults(SAID, hit()));
  await screen.findByText("1 memory");
  await screen.findByText("1 message");
  const links = screen.getAllByRole("link").map(({ textContent }) => textContent);
  expect(links.indexOf("Deploy days")).toBeLessThan(links.indexOf("Message 35"));
});
