/** Transcripts as JSON Lines in a folder that only this user can enter: the same files as those of the Python package. */
import { mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import type { SessionKey, SessionStoreEntry } from "./types.js";

const MAIN = "main.jsonl";
const SUFFIX = ".jsonl";
const NEWLINE = 10;
const MOST_REMEMBERED = 100;

type Known = { size: number; ids: Set<string> };

/** `<folder>/<project>/<session>/main.jsonl`, and a file beside it for each subpath. */
export class Transcripts {
  private readonly known = new Map<string, Known>();

  constructor(private readonly folder: string) {}

  async exists(key: SessionKey): Promise<boolean> {
    return (await sizeOf(this.file(key))) !== null;
  }

  /** Append the entries that are not there yet, and return them. */
  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<SessionStoreEntry[]> {
    const path = this.file(key);
    const ids = await this.knownIds(key);
    const added = entries.filter((entry) => isNew(entry, ids));
    if (added.length === 0) return added;
    this.known.delete(path);
    await mkdir(this.session(key), { recursive: true, mode: 0o700 });
    await appendLines(path, added);
    await this.remember(path, ids);
    return added;
  }

  /** The entries, or null if there is no transcript. A line that a crash cut is skipped. */
  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    try {
      const text = await readFile(this.file(key), "utf8");
      return text
        .split("\n")
        .map(parsed)
        .filter((entry) => entry !== null);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** Sessions that have a main transcript, with the time of its last change in milliseconds. */
  async sessions(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>> {
    const folder = join(this.folder, nameOf(projectKey));
    const found = await Promise.all(
      (await namesIn(folder)).map(async (name) => {
        const mtime = await changedAt(join(folder, name, MAIN));
        return mtime === null ? [] : [{ sessionId: decodeURIComponent(name), mtime }];
      }),
    );
    return found.flat();
  }

  async subkeys(key: SessionKey): Promise<string[]> {
    const names = (await namesIn(this.session(key))).filter((name) => name !== MAIN && name.endsWith(SUFFIX));
    return names.map((name) => decodeURIComponent(name.slice(0, -SUFFIX.length)).replace(/^\//, ""));
  }

  /** Delete a transcript; the main one with all of its session. */
  async delete(key: SessionKey): Promise<void> {
    const path = key.subpath ? this.file(key) : this.session(key);
    await rm(path, { recursive: true, force: true });
    this.known.clear();
  }

  /** The ids of a transcript's entries; it is read again only after another process changed it. */
  private async knownIds(key: SessionKey): Promise<Set<string>> {
    const path = this.file(key);
    const known = this.known.get(path);
    const size = (await sizeOf(path)) ?? 0;
    if (known?.size === size) return known.ids;
    const stored = size === 0 ? [] : ((await this.load(key)) ?? []);
    return new Set(stored.flatMap((entry) => (entry.uuid === undefined ? [] : [entry.uuid])));
  }

  private async remember(path: string, ids: Set<string>): Promise<void> {
    this.known.set(path, { size: (await sizeOf(path)) ?? 0, ids });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MOST_REMEMBERED) return;
      this.known.delete(oldest);
    }
  }

  private session(key: SessionKey): string {
    return join(this.folder, nameOf(key.projectKey), nameOf(key.sessionId));
  }

  /** The slash sets a subpath apart from the main transcript, whatever its name. */
  private file(key: SessionKey): string {
    const name = key.subpath ? `${nameOf(`/${key.subpath}`)}${SUFFIX}` : MAIN;
    return join(this.session(key), name);
  }
}

/** Append entries, on a line of their own also where a crash cut the last one. */
async function appendLines(path: string, entries: SessionStoreEntry[]): Promise<void> {
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  const file = await open(path, "a+", 0o600);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(size - 1, 0));
    const isCut = size > 0 && buffer[0] !== NEWLINE;
    await file.appendFile(isCut ? `\n${lines}` : lines);
  } finally {
    await file.close();
  }
}

function isNew(entry: SessionStoreEntry, ids: Set<string>): boolean {
  if (entry.uuid === undefined) return true;
  if (ids.has(entry.uuid)) return false;
  ids.add(entry.uuid);
  return true;
}

/** A text as the name of a file: never a path, and never `..`. */
function nameOf(text: string): string {
  const escaped = (one: string) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[.!'()*]/g, escaped);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function sizeOf(path: string): Promise<number | null> {
  return statOf(path, (found) => found.size);
}

async function changedAt(path: string): Promise<number | null> {
  return statOf(path, (found) => Math.floor(found.mtimeMs));
}

async function statOf(
  path: string,
  read: (found: { size: number; mtimeMs: number }) => number,
): Promise<number | null> {
  try {
    return read(await stat(path));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function parsed(line: string): SessionStoreEntry | null {
  try {
    const entry: unknown = JSON.parse(line);
    return isEntry(entry) ? entry : null;
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is SessionStoreEntry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
