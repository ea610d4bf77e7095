import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { besideTree, inMemory } from "../testing/in-memory";
import { hit } from "../testing/samples";

const SAID = hit({
  kind: "message",
  id: "m1",
  uri: "",
  relevance: 1,
  score: 0.8,
  conversation_id: "c1",
  message_id: "m1",
  index: 34,
  role: "user",
  name: "Bob",
  snippet: "We deploy on Fridays.",
});

function found(...hits: object[]) {
  return { "GET /api/search": () => json({ hits, by_meaning: true, because: "", actor: null }) };
}

function searches(asked: Request[]): URLSearchParams[] {
  return asked
    .map(({ url }) => new URL(url))
    .filter(({ pathname }) => pathname === "/api/search")
    .map(({ searchParams }) => searchParams);
}

test("nothing is requested before there is a query", async () => {
  const asked = besideTree("/memory/find");
  expect(await screen.findByText("Ask in your own words.")).toBeTruthy();
  expect(searches(asked)).toEqual([]);
});

test("the box above the tree finds, and the question stands in the address", async () => {
  const asked = inMemory("/memory", found(hit(), SAID));
  await userEvent.type(await screen.findByRole("textbox", { name: "Find memories" }), "deploys{Enter}");
  expect(await screen.findByText("at /memory/find?q=deploys")).toBeTruthy();
  expect(await screen.findByText("2 results")).toBeTruthy();
  expect(Object.fromEntries(searches(asked)[0] ?? [])).toEqual({
    q: "deploys",
    corpus: "all",
    top_k: "10",
    mode: "find",
    explain: "true",
  });
});

test("a memory that was found leads to it, a message to where it was said", async () => {
  besideTree("/memory/find?q=deploys", found(hit(), SAID));
  const memory = await screen.findByRole("link", { name: "Deploy days" });
  expect(memory.getAttribute("href")).toBe("/memory/n/n1");
  expect(screen.getByRole("link", { name: "Message 34" }).getAttribute("href")).toBe("/c/c1?m=34");
  expect(screen.getByText("said by Bob")).toBeTruthy();
});

test("why it was found unfolds every part of its score with its number, and their sum", async () => {
  besideTree("/memory/find?q=deploys", found(hit()));
  await userEvent.click(await screen.findByRole("button", { name: "Why Deploy days" }));
  const table = within(screen.getByRole("table", { name: "Parts of the score" }));
  const row = (name: string) => table.getByRole("row", { name: new RegExp(`^${name}`) }).textContent;
  expect(row("Similar meaning")).toContain("0.500");
  expect(row("Words in common")).toContain("0.200");
  expect(row("Together")).toContain("0.800");
  expect(row("Relevance now")).toContain("× 0.500");
  expect(row("Score")).toContain("0.400");
});

test("filters are asked for with the next question, and both days count", async () => {
  const asked = besideTree("/memory/find?q=deploys", found());
  await userEvent.click(await screen.findByText("Filters"));
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Category" }), "event");
  fireEvent.change(screen.getByLabelText("From"), { target: { value: "2026-01-01" } });
  fireEvent.change(screen.getByLabelText("To"), { target: { value: "2026-01-31" } });
  fireEvent.change(screen.getByLabelText("Tags"), { target: { value: "a, b" } });
  await userEvent.click(screen.getByRole("button", { name: "Find" }));
  await waitFor(() => expect(searches(asked)).toHaveLength(2));
  expect(Object.fromEntries(searches(asked)[1] ?? [])).toMatchObject({
    q: "deploys",
    category: "events",
    since: "2026-01-01T00:00:00Z",
    until: "2026-01-31T23:59:59Z",
    tags: "a, b",
  });
});

test("where one looks is changed at once", async () => {
  const asked = besideTree("/memory/find?q=deploys", found(SAID));
  await screen.findByText("1 result");
  await userEvent.click(screen.getByRole("radio", { name: "Messages" }));
  await waitFor(() => expect(searches(asked).at(-1)?.get("corpus")).toBe("messages"));
});

test("what one looked for in vain is named, with what to try", async () => {
  besideTree("/memory/find?q=zebra", found());
  expect(await screen.findByText("Nothing for “zebra”.")).toBeTruthy();
});

test("without vectors it is said that only words were compared", async () => {
  besideTree("/memory/find?q=deploys", {
    "GET /api/search": () =>
      json({ hits: [hit()], by_meaning: false, because: "no_vectors_yet", actor: null }),
  });
  expect(await screen.findByText(/Only words were compared/)).toBeTruthy();
});

test("more is shown when it is asked for", async () => {
  const many = Array.from({ length: 10 }, (_, place) => hit({ id: `n${place}` }));
  const asked = besideTree("/memory/find?q=deploys", found(...many));
  await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
  await waitFor(() => expect(searches(asked).at(-1)?.get("top_k")).toBe("20"));
});

test("a search that failed can be asked for again", async () => {
  let tries = 0;
  besideTree("/memory/find?q=deploys", {
    "GET /api/search": () => {
      tries += 1;
      return tries === 1
        ? json({ code: "busy" }, 503)
        : json({ hits: [hit()], by_meaning: true, because: "", actor: null });
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "Deploy days" })).toBeTruthy();
});
