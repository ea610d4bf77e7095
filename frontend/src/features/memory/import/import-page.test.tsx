import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { ImportResults } from "@/api/memories";
import { readStored } from "@/lib/local-storage";
import { json } from "@/testing/render";
import { renderPane, lastRequest, VIEWER } from "../testing/in-memory";
import { folder, node } from "../testing/samples";

const AT = "/memory/import?uri=mem://user/events";
const PATH = "/api/memories/import";
const LAUNCH = "# mem://user/events/launch\n\nWe launched.\n";
const REFUSED: ImportResults = {
  created: 1,
  updated: 0,
  unchanged: 0,
  refused: 1,
  items: [
    { position: 0, state: "created", id: "n1", uri: "mem://user/events/launch", code: "", detail: "" },
    { position: 1, state: "refused", id: null, uri: "", code: "bad_item", detail: "It was erased." },
  ],
};
const CREATED: ImportResults = { ...REFUSED, refused: 0, items: REFUSED.items.slice(0, 1) };

const PREVIEWED: ImportResults = {
  ...REFUSED,
  items: REFUSED.items.map((item) => ({ ...item, id: null })),
};

function isDryRun(url: string): boolean {
  return new URL(url).searchParams.get("dry_run") === "true";
}

/** For each import request, whether it was a dry run. */
function dryRuns(requests: Request[]): boolean[] {
  return requests.filter(({ method }) => method === "POST").map(({ url }) => isDryRun(url));
}

function confirmations(requests: Request[]): (string | null)[] {
  const sent = requests.filter(({ method }) => method === "POST");
  return sent.map(({ url }) => new URL(url).searchParams.get("confirmed"));
}

async function paste(value: string) {
  fireEvent.change(await screen.findByRole("textbox", { name: "Or paste text" }), {
    target: { value },
  });
}

async function press(name: string) {
  await userEvent.click(await screen.findByRole("button", { name }));
}

test("a folder offers the import to people who can write", async () => {
  const imported = { "GET /api/memories": () => json(node({ node_type: "dir", uri: "mem://user/events" })) };
  renderPane("/memory/at?uri=mem://user/events", imported);
  const button = await screen.findByRole("link", { name: "Import…" });
  expect(button.getAttribute("href")).toBe("/memory/import?uri=mem%3A%2F%2Fuser%2Fevents");
  renderPane(AT, {}, VIEWER);
  expect(await screen.findByText("Read only. Your role can't add memories.")).toBeTruthy();
});

test("an empty fixed folder offers it too", async () => {
  renderPane("/memory/at?uri=mem://user/events", {
    "GET /api/tree": () => json({ data: [folder("mem://user")] }),
  });
  expect(await screen.findByRole("link", { name: "Import…" })).toBeTruthy();
});

test("pasted text is recognized immediately", async () => {
  renderPane(AT);
  const submitButton = await screen.findByRole<HTMLButtonElement>("button", { name: "Preview" });
  expect(submitButton.disabled).toBe(true);
  await paste("Notes");
  expect(screen.getByRole("status").textContent).toContain("No memories found");
  await paste(LAUNCH);
  expect(screen.getByRole("status").textContent).toBe("Markdown, 1 memory. Addresses are kept. ");
  await paste('[{"uri": "mem://user/preferences/tea"}, {}]');
  expect(screen.getByRole("status").textContent).toMatch(
    /^JSON, 2 memories\. Imported under mem:\/\/user\/events; their/,
  );
  expect(screen.getByText("mem://user/preferences/tea")).toBeTruthy();
});

test("the preview shows what an import would do, and changes nothing", async () => {
  const requests = renderPane(AT, { [`POST ${PATH}`]: () => json(PREVIEWED) });
  await paste(LAUNCH);
  await press("Preview");
  const preview = await screen.findByText(/Result: 1 new, 1 refused\./);
  expect(preview.textContent).toContain("Nothing is imported yet.");
  expect(screen.getByRole("list", { name: "Refused" }).textContent).toBe("Entry 2 It was erased.");
  expect(dryRuns(requests)).toEqual([true]);
  await paste(`${LAUNCH}\n`);
  expect(screen.queryByText(/It would be/)).toBeNull();
  expect(screen.getByRole("button", { name: "Preview" })).toBeTruthy();
});

test("if nothing would be imported the button is disabled", async () => {
  const noop = { ...PREVIEWED, created: 0, items: PREVIEWED.items.slice(1) };
  const requests = renderPane(AT, { [`POST ${PATH}`]: () => json(noop) });
  await paste(LAUNCH);
  await press("Preview");
  expect((await screen.findByRole<HTMLButtonElement>("button", { name: "Nothing to import" })).disabled).toBe(
    true,
  );
  fireEvent.keyDown(screen.getByRole("textbox"), { key: "Enter", ctrlKey: true });
  await paste(`${LAUNCH}\n`);
  await press("Preview");
  await screen.findByRole("button", { name: "Nothing to import" });
  expect(dryRuns(requests)).toEqual([true, true]);
});

test("Ctrl+Enter previews, and decides nothing", async () => {
  const requests = renderPane(AT, {
    [`POST ${PATH}`]: ({ url }) => json(isDryRun(url) ? PREVIEWED : CREATED),
  });
  await paste(LAUNCH);
  const keys = { key: "Enter", ctrlKey: true };
  fireEvent.keyDown(screen.getByRole("textbox"), keys);
  await screen.findByRole("button", { name: "Import as mine" });
  fireEvent.keyDown(screen.getByRole("textbox"), keys);
  expect(dryRuns(requests)).toEqual([true]);
  screen.getByRole("button", { name: "Import as mine" }).focus();
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  await screen.findByRole("heading", { name: "1 new" });
  expect(confirmations(requests)).toEqual(["true", "false"]);
  const link = screen.getByRole("link", { name: "Open the inbox" });
  expect(link.closest("p")?.textContent).toContain("Its memories wait in your inbox.");
});

test("one's own memories are in use at once", async () => {
  const requests = renderPane(AT, {
    [`POST ${PATH}`]: ({ url }) => json(isDryRun(url) ? PREVIEWED : CREATED),
  });
  await paste(LAUNCH);
  await press("Preview");
  await press("Import as mine");
  await screen.findByRole("heading", { name: "1 new" });
  expect(confirmations(requests)).toEqual(["true", "true"]);
  expect(screen.queryByText(/wait in your inbox/)).toBeNull();
});

test("each memory's result is shown, and rejected ones can be fixed and sent again", async () => {
  let answer = REFUSED;
  const requests = renderPane(AT, {
    [`POST ${PATH}`]: ({ url }) => json(isDryRun(url) ? PREVIEWED : answer),
  });
  await paste(LAUNCH);
  await press("Preview");
  await press("Import as mine");
  const heading = await screen.findByRole("heading", { name: "1 new, 1 refused" });
  expect(document.activeElement).toBe(heading);
  expect(screen.getByRole("list", { name: "Refused" }).textContent).toBe("Entry 2 It was erased.");
  expect((await lastRequest(requests, "POST", PATH)).body).toEqual({ markdown: LAUNCH });
  expect(dryRuns(requests)).toEqual([true, false]);
  await press("Edit and import again");
  answer = CREATED;
  await press("Preview");
  await press("Import as mine");
  expect(await screen.findByRole("heading", { name: "1 new" })).toBeTruthy();
  await press("Open folder");
  expect(await screen.findByText("at /memory/at?uri=mem%3A%2F%2Fuser%2Fevents")).toBeTruthy();
  expect(readStored("memory:u1/w1/import/mem://user/events", null)).toBeNull();
});

test("memories from another tree are imported below the folder", async () => {
  const requests = renderPane(AT, { [`POST ${PATH}`]: () => json(CREATED) });
  await paste('[{"uri": "mem://user/preferences/tea"}]');
  await press("Preview");
  await press("Import as mine");
  await screen.findByRole("heading", { name: "1 new" });
  const addresses = requests
    .filter(({ method }) => method === "POST")
    .map(({ url }) => new URL(url).searchParams.get("at"));
  expect(addresses).toEqual(["mem://user/events", "mem://user/events"]);
});

test("a rejected import shows the reason and keeps the input", async () => {
  const errors = [{ pointer: "/nodes", detail: "Too long." }];
  renderPane(AT, {
    [`POST ${PATH}`]: () =>
      json({ code: "too_many_items", detail: "At most 5,000 memories at once.", errors }, 413),
  });
  await paste(LAUNCH);
  await press("Preview");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("At most 5,000 memories at once.");
  expect(alert.textContent).toContain("nodes: Too long.");
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe(LAUNCH);
});

test("a file takes precedence over pasted text, which returns when the file is removed", async () => {
  renderPane(AT);
  await paste(LAUNCH);
  const file = new File(['[{"uri": "mem://user/events/tea"}]'], "tea.json", { type: "application/json" });
  await userEvent.upload(screen.getByLabelText("File"), file);
  expect(await screen.findByText("tea.json")).toBeTruthy();
  expect(screen.getByText("mem://user/events/tea")).toBeTruthy();
  await press("Remove file");
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe(LAUNCH);
});

test("a file that is not text is rejected", async () => {
  renderPane(AT);
  const picture = new File([new Uint8Array([0xff, 0xd8, 0xff])], "picture.md", { type: "text/markdown" });
  const field = await screen.findByLabelText<HTMLInputElement>("File");
  const outcomeOf = () =>
    field
      .getAttribute("aria-describedby")
      ?.split(" ")
      .map((id) => document.getElementById(id)?.textContent);
  const outcome = outcomeOf();
  expect(outcome).toHaveLength(1);
  await userEvent.upload(field, picture);
  expect(await screen.findByText("This file isn't UTF-8 text.")).toBeTruthy();
  expect(outcomeOf()).toEqual(["This file isn't UTF-8 text.", ...(outcome ?? [])]);
  expect(field.getAttribute("aria-invalid")).toBe("true");
});
