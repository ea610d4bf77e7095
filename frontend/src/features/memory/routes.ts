/** Paths of the memory pages. */

import type { FindParams } from "@/api/find";
import type { MemoryNode } from "@/api/memories";
import type { NodeLine } from "@/api/tree";
import { FIND, IMPORT, INBOX, TREE } from "@/lib/memory-paths";

export { FIND, IMPORT, INBOX, TREE };
export const ALWAYS = "/memory/always";

export const DECIDED = "/memory/inbox/decided";

/** An item of the inbox; without one, the first. */
export function itemPath(id?: string): string {
  return id === undefined ? INBOX : `${INBOX}/${id}`;
}

/** The levels of detail of a memory. */
export const TIERS = ["abstract", "overview", "content"] as const;
export type Tier = (typeof TIERS)[number];

/** A memory, at a level of detail if one is given. */
export function nodePath(id: string, tier?: Tier): string {
  return `/memory/n/${id}${tier === undefined ? "" : `?tier=${tier}`}`;
}

/** An item of user memory among all of them. */
export function alwaysPath(id: string): string {
  return `${ALWAYS}/${id}`;
}

/** Directories use their address: several rows may share it, and fixed ones need no row. */
export function folderPath(uri: string): string {
  return `/memory/at?${new URLSearchParams({ uri }).toString()}`;
}

export function pathOf({ node_type, uri, id }: NodeLine | MemoryNode): string {
  return node_type === "dir" || id === null ? folderPath(uri) : nodePath(id);
}

export function newPath(uri?: string): string {
  return uri === undefined ? "/memory/new" : `/memory/new?${new URLSearchParams({ uri }).toString()}`;
}

export function importPath(uri: string): string {
  return `/memory/import?${new URLSearchParams({ uri }).toString()}`;
}

export function findPath(query: Partial<FindParams>): string {
  const params = Object.entries(query).filter(([, value]) => value !== "");
  const search = new URLSearchParams(params.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? FIND : `${FIND}?${search}`;
}
