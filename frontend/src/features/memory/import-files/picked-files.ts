/** Files that a person chooses or drops: those that can be imported, with their paths, within the limits. */

import type { PickedFile } from "@/api/import-files";

export type PickProblem = { name: "nothing" } | { name: "too_many" } | { name: "too_large"; bytes: number };

/** The server refuses more. It is checked before an upload that would take long and be in vain. */
export const MAX_BYTES = 64 * 1024 * 1024;
export const MAX_FILES = 500;
const ENDINGS = [".json", ".jsonl", ".md", ".db", ".db-wal", ".zip"];
const SKIPPED_FOLDERS = new Set(["node_modules"]);

export function isImportable(path: string): boolean {
  const parts = path.split("/");
  const name = parts.at(-1)?.toLowerCase() ?? "";
  return ENDINGS.some((ending) => name.endsWith(ending)) && !parts.some((part) => SKIPPED_FOLDERS.has(part));
}

/** The files that can be imported, or the reason why none is sent. */
export function picked(files: readonly PickedFile[]): PickedFile[] | PickProblem {
  const wanted = files.filter(({ path }) => isImportable(path));
  if (wanted.length === 0) return { name: "nothing" };
  if (wanted.length > MAX_FILES) return { name: "too_many" };
  const bytes = totalBytes(wanted);
  return bytes > MAX_BYTES ? { name: "too_large", bytes } : wanted;
}

export function totalBytes(files: readonly PickedFile[]): number {
  return files.reduce((sum, { file }) => sum + file.size, 0);
}

/** The files of an input, which knows paths if a folder was chosen. */
export function filesOfInput(list: FileList | null): PickedFile[] {
  return [...(list ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The files of a drop, folders with all that is in them. */
export async function filesOfDrop(transfer: DataTransfer): Promise<PickedFile[]> {
  // Entries must be taken before the first await, because the list is emptied then.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files].map((file) => ({ path: file.name, file }));
  if (entries.every((entry) => entry === null || entry.isFile)) return plain;
  const found: PickedFile[] = [];
  for (const entry of entries) if (entry !== null) found.push(...(await filesBelow(entry)));
  return found;
}

async function filesBelow(entry: FileSystemEntry): Promise<PickedFile[]> {
  const path = entry.fullPath.replace(/^\//, "");
  if (isFile(entry)) return isImportable(path) ? [{ path, file: await fileOf(entry) }] : [];
  if (!isDirectory(entry) || SKIPPED_FOLDERS.has(entry.name)) return [];
  const reader = entry.createReader();
  const found: PickedFile[] = [];
  // A reader returns the entries in portions, the last of which is empty.
  for (let portion = await portionOf(reader); portion.length > 0; portion = await portionOf(reader)) {
    for (const child of portion) {
      if (found.length > MAX_FILES) return found;
      found.push(...(await filesBelow(child)));
    }
  }
  return found;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function portionOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}
