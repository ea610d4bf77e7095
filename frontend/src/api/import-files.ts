/** Imports of other tools' files: upload, follow, cancel. The server reads the files. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { keys } from "./keys";
import { Problem, Unreachable } from "./problems";
import type { operations } from "./schema";
import { fetchWithForm, type Sent } from "./upload";

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
  /** Items whose memories wait in the inbox. */
  waiting: number;
  counts: Record<string, Partial<Record<ImportStatus, number>>>;
  folders: Record<string, number>;
  first: Record<string, FirstItem[]>;
  problems: ImportProblem[];
  problem_count: number;
}

export interface ImportRequest {
  files: readonly PickedFile[];
  source: SourceOrAuto;
  dryRun: boolean;
  /** The person has seen the preview and says that it is their own. */
  confirmed: boolean;
  /** Chosen here, so that the import can be canceled at any time. */
  importId: string;
}

const KIND = "file_import";
const POLL_MS = 500;

/** Upload the files and start their import, or its preview. */
export async function sendFiles(
  { files, source, dryRun, confirmed, importId }: ImportRequest,
  onSent: (sent: Sent) => void,
  signal: AbortSignal,
): Promise<Operation> {
  const form = new FormData();
  for (const { file } of files) form.append("file", file, file.name);
  const details = files.map(({ path, file }) => ({
    path,
    modified_at: new Date(file.lastModified).toISOString(),
  }));
  form.append("details", JSON.stringify(details));
  const params = { query: { source, dry_run: dryRun, confirmed, import_id: importId } };
  const options = { bodySerializer: () => form, fetch: fetchWithForm(form, onSent), signal };
  return unwrap(api.POST("/api/imports/files", { params, body: { file: [] }, ...options }));
}

/**
 * Report the progress until the operation has ended; return its result, or throw its error as a `Problem`. It goes on in
 * the background, also while the server cannot be reached from here.
 */
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
    current = await refreshed(current, signal);
  }
  if (current.state === "failed") throw new Problem(422, current.error ?? {});
  return current.result as unknown as FileReport;
}

async function refreshed(operation: Operation, signal: AbortSignal): Promise<Operation> {
  const params = { path: { operation_id: operation.id } };
  try {
    return await unwrap(api.GET("/api/operations/{operation_id}", { params, signal }));
  } catch (error) {
    if (error instanceof Unreachable) return operation;
    throw error;
  }
}

/** Cancel an import that runs, or keep it from starting when its files arrive. It is sent also while the page closes. */
export async function cancelImport(importId: string): Promise<void> {
  const body = { import_id: importId };
  await unwrap(api.POST("/api/imports/files/cancel", { body, keepalive: true }));
}

/** The import that goes on in the background, such as after a reload, or null. */
export const runningImportQuery = queryOptions({
  queryKey: keys.runningImport,
  queryFn: async ({ signal }): Promise<Operation | null> => {
    const page = await unwrap(api.GET("/api/operations", { params: { query: { limit: 20 } }, signal }));
    return page.data.find((one) => one.kind === KIND && isOpen(one) && isReal(one)) ?? null;
  },
  staleTime: 0,
  gcTime: 0,
});

function isOpen({ state }: Operation): boolean {
  return state === "queued" || state === "running";
}

function isReal({ result }: Operation): boolean {
  return result?.dry_run === false;
}
