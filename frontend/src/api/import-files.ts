/** Imports of other tools' files: upload, follow, cancel. The server reads the files. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { keys } from "./keys";
import { Problem } from "./problems";
import type { operations } from "./schema";

type Operation = Schemas["Operation"];

export type SourceOrAuto = NonNullable<
  NonNullable<operations["import_files_create"]["parameters"]["query"]>["source"]
>;
export type ImportFilesSource = Exclude<SourceOrAuto, "auto">;
export type ImportStatus = Schemas["ImportedItem"]["status"];

export interface PickedFile {
  /** Relative to the folder that was chosen. */
  path: string;
  file: File;
}

/** One of the first items of a kind. Without ids it exists only after the import. */
export interface FirstItem {
  title: string;
  status: ImportStatus;
  address: string;
  node_id: string | null;
  conversation_id: string | null;
  is_session: boolean;
}

export interface ImportProblem {
  kind: string;
  title: string;
  line: number | null;
  status: "skipped" | "refused" | "damaged";
  reason: string;
  detail: string;
}

/** The result of the operation, also of a dry run. */
export interface FileReport {
  source: ImportFilesSource;
  recognized: ImportFilesSource[];
  import_id: string;
  dry_run: boolean;
  files: number;
  items: number;
  done: number;
  messages: number;
  /** Items that were here already and changed. */
  updated: number;
  counts: Record<string, Partial<Record<ImportStatus, number>>>;
  folders: Record<string, number>;
  first: Record<string, FirstItem[]>;
  problems: ImportProblem[];
  problem_count: number;
}

const KIND = "file_import";
const POLL_MS = 500;
const CANCEL_DELAYS_MS = [0, 1_000, 3_000, 6_000];

/** Start an import, or its preview, under an id with which it can be canceled before the answer has arrived. */
export async function sendFiles(
  files: readonly PickedFile[],
  source: SourceOrAuto,
  dryRun: boolean,
  importId: string,
  signal: AbortSignal,
): Promise<Operation> {
  const form = new FormData();
  for (const { file } of files) form.append("file", file, file.name);
  const details = files.map(({ path, file }) => ({
    path,
    modified_at: new Date(file.lastModified).toISOString(),
  }));
  form.append("details", JSON.stringify(details));
  const params = { query: { source, dry_run: dryRun, import_id: importId } };
  const body = { file: [] };
  return unwrap(api.POST("/api/imports/files", { params, body, bodySerializer: () => form, signal }));
}

/** Report the progress until the operation has ended; return its result, or throw its error as a `Problem`. */
export async function followImport(
  operation: Operation,
  onProgress: (operation: Operation) => void,
  signal: AbortSignal,
): Promise<FileReport> {
  let current = operation;
  while (isOpen(current)) {
    onProgress(current);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
    const params = { path: { operation_id: current.id } };
    current = await unwrap(api.GET("/api/operations/{operation_id}", { params, signal }));
  }
  if (current.state === "failed") throw new Problem(422, current.error ?? {});
  return current.result as unknown as FileReport;
}

export async function cancelImport(id: string): Promise<void> {
  const params = { path: { import_operation_id: id } };
  await unwrap(api.DELETE("/api/imports/files/{import_operation_id}", { params }));
}

/** Cancel an import whose upload was aborted: the server may have had all of it, and start the import a little later. */
export async function cancelUpload(importId: string): Promise<void> {
  for (const delay of CANCEL_DELAYS_MS) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    const started = (await openImports()).find(({ result }) => isSameId(result?.import_id, importId));
    if (started !== undefined) return cancelImport(started.id);
  }
}

/** The import that goes on in the background, such as after a reload, or null. */
export const runningImportQuery = queryOptions({
  queryKey: keys.runningImport,
  queryFn: async ({ signal }): Promise<Operation | null> => (await openImports(signal)).find(isReal) ?? null,
  staleTime: 0,
  gcTime: 0,
});

async function openImports(signal: AbortSignal | null = null): Promise<Operation[]> {
  const page = await unwrap(api.GET("/api/operations", { params: { query: { limit: 20 } }, signal }));
  return page.data.filter((one) => one.kind === KIND && isOpen(one));
}

/** Whether they are the same UUID, with hyphens or without. */
function isSameId(one: unknown, other: string): boolean {
  return typeof one === "string" && one.replaceAll("-", "") === other.replaceAll("-", "");
}

function isOpen({ state }: Operation): boolean {
  return state === "queued" || state === "running";
}

function isReal({ result }: Operation): boolean {
  return result?.dry_run === false;
}
