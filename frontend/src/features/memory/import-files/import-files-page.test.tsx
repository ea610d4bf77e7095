import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { page } from "@/testing/samples";
import { renderMemoryPage, VIEWER } from "../testing/in-memory";
import { report } from "./samples";

const AT = "/memory/import";
const POST = "POST /api/imports/files";
const FILE = new File(['{"type": "user"}'], "session.jsonl", { lastModified: 0 });

function operation(changes: object = {}) {
  return { id: "o1", kind: "file_import", state: "succeeded", stage: "", progress: 100, ...changes };
}

const NONE_RUNNING = { "GET /api/operations": () => json(page([])) };
const ANSWERS = {
  ...NONE_RUNNING,
  [`${POST}?dry_run`]: () => json(operation({ result: report() }), 202),
  [POST]: () => json(operation({ result: report({ dry_run: false }) }), 202),
};

async function choose(file: File = FILE) {
  await userEvent.upload(await screen.findByLabelText("Choose files", { selector: "input" }), file);
}

async function press(name: string) {
  await userEvent.click(await screen.findByRole("button", { name }));
}

function uploads(requests: Request[]): URLSearchParams[] {
  return requests.filter(({ method }) => method === "POST").map(({ url }) => new URL(url).searchParams);
}

test("the memory page leads to it", async () => {
  renderMemoryPage("/memory", NONE_RUNNING);
  const link = await screen.findByRole("link", { name: "Import" });
  expect(link.getAttribute("href")).toBe(AT);
});

test("a chosen file is previewed at once, and nothing is imported before it is confirmed", async () => {
  const requests = renderMemoryPage(AT, ANSWERS);
  await choose();
  expect(document.activeElement).toBe(await screen.findByRole("heading", { name: "Preview" }));
  const table = screen.getByRole("table", { name: "What is in the files" });
  const row = within(table).getByRole("row", { name: /^Memories/ });
  expect(row.textContent).toBe("Memories2001");
  expect(screen.getByRole("list", { name: "Omitted (2)" }).textContent).toContain(
    "Limit the bookings · line 12damaged: the file ends in the middle of it",
  );
  expect(screen.getByText(/^These files also contain: Claude Code memory files/)).toBeTruthy();
  await press("Import 3 items");
  expect(await screen.findByRole("heading", { name: "3 items imported" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Limit the bookings" }).getAttribute("href")).toBe("/sessions/c1");
  expect(screen.getByRole("link", { name: "Likes tea" }).getAttribute("href")).toBe("/memory/n/n1");
  const sent = uploads(requests).map((query) => [query.get("source"), query.get("dry_run")]);
  expect(sent).toEqual([
    ["auto", "true"],
    ["transcripts", "false"],
  ]);
});

test("another source is previewed anew", async () => {
  const requests = renderMemoryPage(AT, ANSWERS);
  await choose();
  fireEvent.change(await screen.findByLabelText("Source"), { target: { value: "claude-memory" } });
  await screen.findByRole("heading", { name: "Preview" });
  expect(uploads(requests).map((query) => query.get("source"))).toEqual(["auto", "claude-memory"]);
});

test("if nothing is new, nothing can be imported", async () => {
  const known = report({ counts: { memory: { existing: 3 } }, messages: 0 });
  renderMemoryPage(AT, { ...ANSWERS, [`${POST}?dry_run`]: () => json(operation({ result: known }), 202) });
  await choose();
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Nothing new to import" });
  expect(button.disabled).toBe(true);
});

test("what only changed can be imported too, and items of our own export have names", async () => {
  const counts = { memory: { existing: 3 }, node_history: { existing: 1 } };
  const changed = report({ counts, messages: 0, updated: 1 });
  renderMemoryPage(AT, { ...ANSWERS, [`${POST}?dry_run`]: () => json(operation({ result: changed }), 202) });
  await choose();
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Import 1 item" });
  expect(button.disabled).toBe(false);
  expect(screen.getByText("1 item that was here already changes.")).toBeTruthy();
  expect(screen.getByRole("row", { name: /^Histories of memories/ })).toBeTruthy();
});

test("files that cannot be read are explained, and others can be chosen", async () => {
  const error = { code: "unknown_source", detail: "None of the files is one that can be imported." };
  renderMemoryPage(AT, {
    ...ANSWERS,
    [`${POST}?dry_run`]: () => json(operation({ state: "failed", error }), 202),
  });
  await choose();
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("There is no preview");
  expect(alert.textContent).toContain(error.detail);
  await press("Choose other files");
  expect(await screen.findByText("Drop files or a folder here")).toBeTruthy();
});

test("a long import shows its progress and can be canceled", async () => {
  const running = operation({ state: "running", stage: "120 of 3400 items", progress: 4 });
  const requests = renderMemoryPage(AT, {
    ...ANSWERS,
    [POST]: () => json(running, 202),
    "GET /api/operations/o1": () => json(running),
    "DELETE /api/imports/files/o1": () => new Response(null, { status: 204 }),
  });
  await choose();
  await press("Import 3 items");
  const bar = await screen.findByRole("progressbar", { name: "Importing" });
  expect(bar.getAttribute("aria-valuetext")).toBe("120 of 3400 items");
  await press("Cancel");
  expect(await screen.findByText("Canceled. What was imported before stays.")).toBeTruthy();
  expect(requests.some(({ method }) => method === "DELETE")).toBe(true);
});

test("an import that is canceled while files arrive is canceled on the server too", async () => {
  let importId: string | null = null;
  const started = () => operation({ state: "queued", result: { dry_run: true, import_id: importId } });
  const other = operation({ id: "o2", state: "running", result: { dry_run: false, import_id: "other" } });
  const requests = renderMemoryPage(AT, {
    "GET /api/operations": () => json(page(importId === null ? [] : [other, started()])),
    [`${POST}?dry_run`]: (request: Request) => {
      importId = new URL(request.url).searchParams.get("import_id");
      return new Promise<Response>(() => undefined);
    },
    "DELETE /api/imports/files/o1": () => new Response(null, { status: 204 }),
  });
  await choose();
  await press("Cancel");
  await waitFor(() => {
    const deleted = requests
      .filter(({ method }) => method === "DELETE")
      .map(({ url }) => new URL(url).pathname);
    expect(deleted).toEqual(["/api/imports/files/o1"]);
  });
});

test("after a reload the running import is followed to its report", async () => {
  const running = operation({ state: "running", stage: "1 of 4 items", result: { dry_run: false } });
  renderMemoryPage(AT, {
    "GET /api/operations": () => json(page([running])),
    "GET /api/operations/o1": () => json(operation({ result: report({ dry_run: false }) })),
  });
  expect(await screen.findByRole("progressbar", { name: "Importing" })).toBeTruthy();
  expect(await screen.findByRole("heading", { name: "3 items imported" }, { timeout: 3_000 })).toBeTruthy();
});

test("an import that stopped is tried again with the same files", async () => {
  let answer = () => json({ code: "unavailable", detail: "No worker." }, 503);
  renderMemoryPage(AT, { ...ANSWERS, [POST]: () => answer() });
  await choose();
  await press("Import 3 items");
  expect((await screen.findByRole("alert")).textContent).toContain("Trying again imports only the rest.");
  answer = ANSWERS[POST];
  await press("Try again");
  expect(await screen.findByRole("heading", { name: "3 items imported" })).toBeTruthy();
});

test("a picture is refused before anything is sent", async () => {
  const requests = renderMemoryPage(AT, ANSWERS);
  await choose(new File(["x"], "photo.png"));
  expect((await screen.findByRole("alert")).textContent).toContain("There is nothing to import in it");
  expect(uploads(requests)).toEqual([]);
});

test("who may only read is told so", async () => {
  renderMemoryPage(AT, NONE_RUNNING, VIEWER);
  expect(await screen.findByText("Read only. Your role can't add memories.")).toBeTruthy();
});
