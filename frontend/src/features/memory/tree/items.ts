/** The items of a directory in the tree: fixed directories first, and one item per directory address. */

import type { Category } from "@/api/policy";
import type { NodeLine } from "@/api/tree";
import { isTeam, nameOf } from "../address";
import { fixedBelow } from "../categories";

export interface TreeItem {
  /** A directory's key is its address, because several rows may share it. */
  key: string;
  uri: string;
  name: string;
  isDirectory: boolean;
  /** The number of direct children; null if unknown. */
  count: number | null;
  line: NodeLine | null;
  /** Private among shared memories. */
  isPrivate: boolean;
}

export function rootItem(uri: string): TreeItem {
  return directory(uri, null, null);
}

/** Without lines, which are not loaded yet, the counts of the fixed directories are unknown. */
export function itemsOf(
  categories: readonly Category[],
  uri: string,
  lines: readonly NodeLine[] | undefined,
): TreeItem[] {
  const items = new Map<string, TreeItem>();
  const none = lines === undefined ? null : 0;
  for (const fixed of fixedBelow(categories, uri)) items.set(fixed, directory(fixed, none, null));
  for (const line of lines ?? []) {
    if (line.node_type === "leaf") {
      items.set(line.id ?? line.uri, leaf(line));
      continue;
    }
    const existing = items.get(line.uri);
    items.set(
      line.uri,
      directory(line.uri, (existing?.count ?? 0) + line.child_count, existing?.line ?? line),
    );
  }
  return [...items.values()];
}

function directory(uri: string, count: number | null, line: NodeLine | null): TreeItem {
  return { key: uri, uri, name: nameOf(uri), isDirectory: true, count, line, isPrivate: false };
}

function leaf(line: NodeLine): TreeItem {
  return {
    key: line.id ?? line.uri,
    uri: line.uri,
    name: nameOf(line.uri),
    isDirectory: false,
    count: null,
    line,
    isPrivate: isTeam(line.uri) && line.owner_id !== null,
  };
}
