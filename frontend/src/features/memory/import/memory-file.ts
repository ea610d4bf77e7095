/** What a file of memories holds: recognised by how it looks, counted by its addresses. The server reads it in the end. */

import type { ImportBody } from "@/api/memories";
import { isWithin } from "../address";

export interface MemoryFile {
  format: "markdown" | "json";
  /** The address of each memory; empty where it has none. */
  uris: string[];
  body: ImportBody;
}

export interface ChosenFile {
  name: string;
  text: string;
}

export type Unreadable = "empty" | "bad_json" | "no_list" | "no_address";

const HEADING = /^# (mem:\/\/.*)$/gm;

/** A heading at the beginning of a line cannot stand in JSON. */
export function readMemories(text: string): MemoryFile | Unreadable {
  const uris = [...text.matchAll(HEADING)].map(([, uri = ""]) => uri.trim());
  if (uris.length > 0) return { format: "markdown", uris, body: { markdown: text } };
  if (text.trim() === "") return "empty";
  return /^\s*[{[]/.test(text) ? readJson(text) : "no_address";
}

/** Where its memories would go as a whole: to their own addresses, if all are in the folder; else below it. */
export function placeFor({ uris }: MemoryFile, folder: string): string | null {
  const named = uris.filter(Boolean);
  return named.every((uri) => isWithin(uri, folder)) ? null : folder;
}

/** Nothing is put in the place of what is not text. */
export async function textOf(file: Blob): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
}

function readJson(text: string): MemoryFile | Unreadable {
  const told = parsed(text);
  if (told === undefined) return "bad_json";
  const body = (Array.isArray(told) ? { nodes: told } : told) as ImportBody;
  if (!Array.isArray(body.nodes) || body.nodes.length === 0) return "no_list";
  return { format: "json", uris: body.nodes.map(addressOf), body };
}

function parsed(text: string): unknown {
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
