/** Recognize the format of a memory file and list its addresses. The server does the actual parsing. */

import type { ImportBody } from "@/api/memories";
import { isWithin } from "../address";

export interface MemoryFile {
  format: "markdown" | "json";
  /** The address of each memory; empty if it has none. */
  uris: string[];
  body: ImportBody;
}

export interface ChosenFile {
  name: string;
  text: string;
}

export type Unreadable = "empty" | "bad_json" | "no_list" | "no_address";

const HEADING = /^# (mem:\/\/.*)$/gm;

/** A heading at the start of a line cannot occur in JSON. */
export function readMemories(text: string): MemoryFile | Unreadable {
  const uris = [...text.matchAll(HEADING)].map(([, uri = ""]) => uri.trim());
  if (uris.length > 0) return { format: "markdown", uris, body: { markdown: text } };
  if (text.trim() === "") return "empty";
  return /^\s*[{[]/.test(text) ? readJson(text) : "no_address";
}

/** The target of the import: null (each memory's own address) if all are in the folder, otherwise the folder. */
export function importTarget({ uris }: MemoryFile, folder: string): string | null {
  const knownUris = uris.filter(Boolean);
  return knownUris.every((uri) => isWithin(uri, folder)) ? null : folder;
}

/** Invalid UTF-8 throws instead of being replaced. */
export async function textOf(file: Blob): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
}

function readJson(text: string): MemoryFile | Unreadable {
  const json = parseJson(text);
  if (json === undefined) return "bad_json";
  const body = (Array.isArray(json) ? { nodes: json } : json) as ImportBody;
  if (!Array.isArray(body.nodes) || body.nodes.length === 0) return "no_list";
  return { format: "json", uris: body.nodes.map(addressOf), body };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function addressOf(node: unknown): string {
  const { uri } = (node ?? {}) as { uri?: unknown };
  return typeof uri === "string" ? uri : "";
}
