import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { json } from "@/testing/render";
import { page } from "@/testing/samples";
import { mockTransfers, type Transfer } from "@/testing/transfers";
import { renderMemoryPage, VIEWER } from "../testing/in-memory";
import { report } from "./samples";

const AT = "/memory/import";
const POST = "POST /api/imports/files";
const CANCEL = "POST /api/imports/files/cancel";
const FILE = new File(['{"type": "user"}'], "session.jsonl", { lastModified: 0 });

function operation(changes: object = {}) {
  return { id: "o1", kind: "file_import", state: "succeeded", stage: "", progress: 100, ...changes };
}

let transfers: Transfer[];

beforeEach(() => {
  transfers = mockTransfers();
});

const pending = () => new Promise<Response>(() => undefined);
const done = () => new Response(null, { status: 204 });
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
  return sentTo(requests, POST).map(({ url }) => new URL(url).searchParams);
}

/** For each upload its source, and whether it was a dry run and confirmed. */
function sent(requests: Request[]): (string | null)[][] {
  const names = ["source", "dry_run", "confirmed"];
  return uploads(requests).map((query) => names.map((name) => query.get(name)));
}

function meaning(button: HTMLElement): string {
  return document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent ?? "";
}

function sentTo(requests: Request[], name: string): Request[] {
  return requests.filter(({ method, url }) => `${method} ${new URL(url).pathname}` === name);
}

/** The ids of the imports that were canceled. */
async function canceled(requests: Request[]): Promise<unknown[]> {
  const bodies = sentTo(requests, CANCEL).map((request) => request.clone().json() as Promise<object>);
  return (await Promise.all(bodies)).map((body) => "import_id" in body && body.import_id);
}

function idOf(requests: Request[], place: number): string | null {
  return uploads(requests)[place]?.get("import_id") ?? null;
}

/** The upload at this place, once it has begun. */
async function upload(place: number): Promise<Transfer> {
  return vi.waitUntil(() => transfers[place]);
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
  await press("Import as mine");
  expect(await screen.findByRole("heading", { name: "3 items imported" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Limit the bookings" }).getAttribute("href")).toBe("/sessions/c1");
  expect(screen.getByRole("link", { name: "Likes tea" }).getAttribute("href")).toBe("/memory/n/n1");
  expect(sent(requests)).toEqual([
    ["auto", "true", "true"],
    ["transcripts", "false", "true"],
  ]);
});

test("what may be somebody else's is imported into the inbox, and each choice says what it means", async () => {
  const waiting = report({ dry_run: false, waiting: 2 });
  const requests = renderMemoryPage(AT, {
    ...ANSWERS,
    [POST]: () => json(operation({ result: waiting }), 202),
  });
  await choose();
  const choices = within(await screen.findByRole("group", { name: "How to import" })).getAllByRole("button");
  expect(choices.map((button) => [button.textContent, meaning(button).split(":")[0]])).toEqual([
    ["Import as mine", "These are your own memories"],
    ["Import into the inbox", "From somebody else, or you are not sure"],
  ]);
  await press("Import into the inbox");
  expect(await screen.findByText("2 memories wait in your inbox.")).toBeTruthy();
  expect(sent(requests).at(-1)).toEqual(["transcripts", "false", "false"]);
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
  expect(await screen.findByText("1 item to import.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Import as mine" })).toBeTruthy();
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
    [CANCEL]: done,
  });
  await choose();
  await press("Import as mine");
  const bar = await screen.findByRole("progressbar", { name: "Importing" });
  expect(bar.getAttribute("aria-valuetext")).toBe("120 of 3400 items");
  await press("Cancel");
  expect(await screen.findByText("Canceled. What was imported before stays.")).toBeTruthy();
  await waitFor(async () => expect(await canceled(requests)).toEqual([idOf(requests, 1)]));
});

test("an upload shows how much was sent, and says so now and then", async () => {
  renderMemoryPage(AT, { ...NONE_RUNNING, [`${POST}?dry_run`]: pending });
  await choose();
  const transfer = await upload(0);
  const bar = await screen.findByRole("progressbar", { name: "Uploading" });
  transfer.progress(3 * 1024 ** 2, 8 * 1024 ** 2);
  expect(bar.getAttribute("aria-valuenow")).toBe("37");
  expect(bar.getAttribute("aria-valuetext")).toBe("Uploading: 3 MB of 8 MB, 37%");
  expect(screen.getByText("Uploading: 3 MB of 8 MB, 37%")).toBeTruthy();
  expect(screen.getByText("Uploading: 20%").getAttribute("role")).toBe("status");
  transfer.progress(8 * 1024 ** 2, 8 * 1024 ** 2);
  expect(screen.getByRole("status").textContent).toBe("Uploaded. Waiting for the server");
});

test("a cancel ends the upload at once, on the server too", async () => {
  const requests = renderMemoryPage(AT, {
    ...NONE_RUNNING,
    [`${POST}?dry_run`]: pending,
    [CANCEL]: done,
  });
  await choose();
  const transfer = await upload(0);
  await press("Cancel");
  expect(transfer.isAborted).toBe(true);
  expect(await screen.findByText("Canceled. Nothing was imported.")).toBeTruthy();
  await waitFor(async () => expect(await canceled(requests)).toEqual([idOf(requests, 0)]));
});

test("a cancel that does not reach the server says so, and can be repeated", async () => {
  let isOffline = true;
  const requests = renderMemoryPage(AT, {
    ...NONE_RUNNING,
    [`${POST}?dry_run`]: pending,
    [CANCEL]: () => (isOffline ? Promise.reject(new TypeError("offline")) : done()),
  });
  await choose();
  await upload(0);
  await press("Cancel");
  expect(await screen.findByText(/^Can't reach the server/)).toBeTruthy();
  isOffline = false;
  await press("Cancel again");
  await waitFor(() => expect(screen.queryByText(/^Can't reach the server/)).toBeNull());
  const id = idOf(requests, 0);
  await waitFor(async () => expect(await canceled(requests)).toEqual([id, id]));
});

test("who leaves the page during an upload cancels it", async () => {
  const requests = renderMemoryPage(AT, { ...NONE_RUNNING, [`${POST}?dry_run`]: pending, [CANCEL]: done });
  await choose();
  const transfer = await upload(0);
  await userEvent.click(screen.getByRole("link", { name: "Inbox" }));
  expect(transfer.isAborted).toBe(true);
  await waitFor(async () => expect(await canceled(requests)).toEqual([idOf(requests, 0)]));
});

test("a lost connection keeps the files, and trying again first cancels what may have started", async () => {
  let isOffline = true;
  let answer: () => Promise<Response> | Response = pending;
  const requests = renderMemoryPage(AT, {
    ...ANSWERS,
    [POST]: () => answer(),
    [CANCEL]: () => (isOffline ? Promise.reject(new TypeError("offline")) : done()),
  });
  await choose();
  await press("Import as mine");
  const transfer = await upload(1);
  transfer.progress(1024, 4096);
  transfer.drop();
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("The upload was interrupted");
  expect(alert.textContent).toContain(
    "The connection was lost after 1 kB of 4 kB. Your file is still selected.",
  );
  await press("Try again");
  expect((await screen.findByRole("alert")).textContent).toContain("The upload was interrupted");
  expect(transfers).toHaveLength(2);
  isOffline = false;
  answer = ANSWERS[POST];
  await press("Try again");
  expect(await screen.findByRole("heading", { name: "3 items imported" })).toBeTruthy();
  const lost = idOf(requests, 1);
  expect(new Set(await canceled(requests))).toEqual(new Set([lost]));
  expect((transfers[2]?.form?.get("file") as File).name).toBe("session.jsonl");
});

test("after a reload the running import is followed to its report, whatever the connection does", async () => {
  const running = operation({ state: "running", stage: "1 of 4 items", result: { dry_run: false } });
  let answers = 0;
  renderMemoryPage(AT, {
    "GET /api/operations": () => json(page([running])),
    "GET /api/operations/o1": () => {
      answers += 1;
      if (answers === 1) return Promise.reject(new TypeError("offline"));
      return json(operation({ result: report({ dry_run: false }) }));
    },
  });
  expect(await screen.findByRole("progressbar", { name: "Importing" })).toBeTruthy();
  expect(await screen.findByRole("heading", { name: "3 items imported" }, { timeout: 3_000 })).toBeTruthy();
});

test("a resumed import is canceled by its id", async () => {
  const running = operation({
    subject: "i7",
    state: "running",
    stage: "1 of 4 items",
    result: { dry_run: false },
  });
  const requests = renderMemoryPage(AT, {
    "GET /api/operations": () => json(page([running])),
    "GET /api/operations/o1": () => json(running),
    [CANCEL]: done,
  });
  await press("Cancel");
  expect(await screen.findByText("Canceled. What was imported before stays.")).toBeTruthy();
  await waitFor(async () => expect(await canceled(requests)).toEqual(["i7"]));
});

test("an import that stopped is tried again with the same files", async () => {
  let answer = () => json({ code: "unavailable", detail: "No worker." }, 503);
  renderMemoryPage(AT, { ...ANSWERS, [POST]: () => answer() });
  await choose();
  await press("Import as mine");
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
