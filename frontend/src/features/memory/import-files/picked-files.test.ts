import { expect, test } from "vitest";
import type { PickedFile } from "@/api/import-files";
import { filesOfDrop, isImportable, MAX_BYTES, MAX_FILES, picked } from "./picked-files";

function file(path: string, size = 1): PickedFile {
  const made = new File(["x"], path.split("/").at(-1) ?? path);
  Object.defineProperty(made, "size", { value: size });
  return { path, file: made };
}

function fileEntry(path: string): FileSystemEntry {
  const made = { isFile: true, isDirectory: false, name: path, fullPath: `/${path}` };
  return Object.assign(made, {
    file: (done: (file: File) => void) => done(new File(["x"], path)),
  }) as unknown as FileSystemEntry;
}

function folderEntry(path: string, portions: FileSystemEntry[][]): FileSystemEntry {
  const made = { isFile: false, isDirectory: true, name: path.split("/").at(-1), fullPath: `/${path}` };
  const createReader = () => ({
    readEntries: (done: (entries: FileSystemEntry[]) => void) => done(portions.shift() ?? []),
  });
  return Object.assign(made, { createReader }) as unknown as FileSystemEntry;
}

function transfer(entries: FileSystemEntry[], files: File[] = []): DataTransfer {
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  return { items, files } as unknown as DataTransfer;
}

test.each([
  ["projects/-work-shop/a.jsonl", true],
  ["claude-mem.db-wal", true],
  ["Export.ZIP", true],
  ["projects/-work-shop/a/subagents/agent-1.jsonl", true],
  ["shop/node_modules/package.json", false],
  ["photo.png", false],
])("%s: %s", (path, expected) => {
  expect(isImportable(path)).toBe(expected);
});

test("only files that can be imported are sent", () => {
  const wanted = file("a/b.jsonl");
  expect(picked([wanted, file("a/photo.png")])).toEqual([wanted]);
  expect(picked([file("photo.png")])).toEqual({ name: "nothing" });
});

test("too much is refused before it is sent", () => {
  expect(picked([file("a.db", MAX_BYTES), file("b.db", 1)])).toEqual({
    name: "too_large",
    bytes: MAX_BYTES + 1,
  });
  const many = Array.from({ length: MAX_FILES + 1 }, (_, place) => file(`${place}.md`));
  expect(picked(many)).toEqual({ name: "too_many" });
});

test("a dropped folder is read with all its portions, and files keep their paths", async () => {
  const subagents = folderEntry("projects/-work-shop/b/subagents", [
    [fileEntry("projects/-work-shop/b/subagents/agent-1.jsonl")],
  ]);
  const inner = folderEntry("projects/-work-shop", [
    [fileEntry("projects/-work-shop/a.jsonl")],
    [fileEntry("projects/-work-shop/b.jsonl"), subagents],
  ]);
  const found = await filesOfDrop(transfer([folderEntry("projects", [[inner]])]));
  expect(found.map(({ path }) => path)).toEqual([
    "projects/-work-shop/a.jsonl",
    "projects/-work-shop/b.jsonl",
    "projects/-work-shop/b/subagents/agent-1.jsonl",
  ]);
});

test("dropped files have their names as paths", async () => {
  const found = await filesOfDrop(transfer([fileEntry("a.json")], [new File(["x"], "a.json")]));
  expect(found.map(({ path }) => path)).toEqual(["a.json"]);
});
