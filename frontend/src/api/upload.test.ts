import { beforeEach, expect, test, vi } from "vitest";
import { json, mockServer } from "@/testing/render";
import { mockTransfers, type Transfer } from "@/testing/transfers";
import { sendFiles } from "./import-files";
import { Problem, Unreachable } from "./problems";

const FILE = { path: "projects/a.jsonl", file: new File(["{}"], "a.jsonl", { lastModified: 0 }) };
const REQUEST = { files: [FILE], source: "auto", dryRun: true, confirmed: true, importId: "i1" } as const;
const POST = "POST /api/imports/files";
const pending = () => new Promise<Response>(() => undefined);

let transfers: Transfer[];

beforeEach(() => {
  document.cookie = "csrftoken=token";
  transfers = mockTransfers();
});

function send(signal = new AbortController().signal, onSent = vi.fn()) {
  return sendFiles(REQUEST, onSent, signal);
}

async function started(): Promise<Transfer> {
  return vi.waitUntil(() => transfers[0]);
}

test("the form is sent as any other request, and the answer is read as any other", async () => {
  const requests = mockServer({ [POST]: () => json({ id: "o1", state: "queued" }, 202) });
  expect(await send()).toEqual({ id: "o1", state: "queued" });
  const query = new URL(requests[0]?.url ?? "").searchParams;
  expect([...query]).toEqual([
    ["source", "auto"],
    ["dry_run", "true"],
    ["confirmed", "true"],
    ["import_id", "i1"],
  ]);
  const { form, sentHeaders } = await started();
  expect((form?.get("file") as File).name).toBe("a.jsonl");
  const details = [{ path: "projects/a.jsonl", modified_at: "1970-01-01T00:00:00.000Z" }];
  expect(JSON.parse(form?.get("details") as string)).toEqual(details);
  expect(sentHeaders.get("X-CSRFToken")).toBe("token");
  expect(sentHeaders.has("Content-Type")).toBe(false);
});

test("the bytes that were sent are reported", async () => {
  mockServer({ [POST]: pending });
  const onSent = vi.fn();
  void send(undefined, onSent);
  (await started()).progress(40, 200);
  expect(onSent).toHaveBeenCalledWith({ loaded: 40, total: 200 });
});

test("a refusal has its problem details and its Retry-After", async () => {
  const refusal = () =>
    Response.json(
      { code: "imports_running", detail: "Wait." },
      { status: 409, headers: { "Retry-After": "7" } },
    );
  mockServer({ [POST]: refusal });
  const problem: unknown = await send().catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ status: 409, code: "imports_running", message: "Wait.", retryAfter: 7 });
});

test("a lost connection is a server that cannot be reached", async () => {
  mockServer({ [POST]: pending });
  const sending = send();
  (await started()).drop();
  await expect(sending).rejects.toBeInstanceOf(Unreachable);
});

test("an abort ends the request at once, and one before it sends nothing", async () => {
  mockServer({ [POST]: pending });
  const controller = new AbortController();
  const sending = send(controller.signal);
  const transfer = await started();
  controller.abort();
  expect(transfer.isAborted).toBe(true);
  await expect(sending).rejects.toMatchObject({ name: "AbortError" });
  await expect(send(controller.signal)).rejects.toMatchObject({ name: "AbortError" });
  expect(transfers).toHaveLength(1);
});
