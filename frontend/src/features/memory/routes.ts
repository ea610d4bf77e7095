/** Where things of the memory page are found in the browser. */

import type { FindWish } from "@/api/find";
import type { MemoryNode } from "@/api/memories";
import type { NodeLine } from "@/api/tree";

export const TREE = "/memory";
export const FIND = "/memory/find";

export function nodePath(id: string): string {
  return `/memory/n/${id}`;
}

/** A directory goes by its address: several may share it, and a fixed one needs no row. */
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

export function findPath(wish: Partial<FindWish>): string {
  const given = Object.entries(wish).filter(([, value]) => value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? FIND : `${FIND}?${search}`;
}
