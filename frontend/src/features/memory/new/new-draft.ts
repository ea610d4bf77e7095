/** What somebody typed of a new memory, and the address that follows from it. */

import type { NewMemory } from "@/api/memories";
import { CATEGORIES, isFixed, isTeam, parentOf, slug } from "../address";
import { tagsIn, timeOf } from "../node/tags";

export const BY_ADDRESS = "address";

export interface NewDraft {
  /** A category, or that the address is typed. */
  kind: string;
  entity: string;
  name: string;
  address: string;
  content: string;
  tags: string;
  day: string;
  shared: boolean;
}

const EMPTY: NewDraft = {
  kind: "preferences",
  entity: "",
  name: "",
  address: "",
  content: "",
  tags: "",
  day: "",
  shared: false,
};

/** Begun in a folder, it lies in there: in an entity's by its name, in others by the address. */
export function firstDraft(folder: string): NewDraft {
  const category = CATEGORIES.find(({ uri }) => uri === folder);
  if (category !== undefined && category.name !== "session") return { ...EMPTY, kind: category.name };
  if (parentOf(folder) === "mem://user/entities") {
    return { ...EMPTY, kind: "entities", entity: folder.split("/").at(-1) ?? "" };
  }
  if (folder === "" || (isFixed(folder) && category === undefined)) {
    return { ...EMPTY, kind: isTeamFolder(folder) ? "patterns" : EMPTY.kind };
  }
  return { ...EMPTY, kind: BY_ADDRESS, address: `${folder}/` };
}

export function namesNeeded(kind: string): number {
  return CATEGORIES.find(({ name }) => name === kind)?.names ?? 1;
}

/** `null` while there is not enough of it. */
export function uriOf({ kind, entity, name, address }: NewDraft): string | null {
  if (kind === BY_ADDRESS) {
    const typed = address.trim();
    return /^mem:\/\/\S.*[^/]$/.test(typed) ? typed : null;
  }
  const root = CATEGORIES.find((one) => one.name === kind)?.uri;
  const names = namesNeeded(kind) === 2 ? [slug(entity), slug(name)] : [slug(name)];
  return root === undefined || names.includes("") ? null : [root, ...names].join("/");
}

export function isTeamPlace(draft: NewDraft): boolean {
  const uri = uriOf(draft);
  return uri !== null && isTeam(uri);
}

export function bodyOf(draft: NewDraft): NewMemory {
  return {
    uri: uriOf(draft) ?? "",
    content: draft.content,
    tags: tagsIn(draft.tags),
    ...(draft.day !== "" && { occurred_at: timeOf(draft.day) }),
    ...(draft.shared && isTeamPlace(draft) && { shared: true }),
  };
}

function isTeamFolder(folder: string): boolean {
  return folder !== "" && isTeam(folder);
}
